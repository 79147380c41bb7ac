# Warnings that a project may have, all of them errors: they are about what it wrote itself, and nothing in the headers.
target_compile_options(consumer PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Wold-style-cast -Wdouble-promotion -Wundef -Wfloat-equal -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(consumer PRIVATE -Wuseless-cast)
endif()
