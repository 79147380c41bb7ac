# cmake -DCOMPILER=... -DCOMPILER_ID=... -DFLAGS=... -DPRECOMPILED=<folder> -P precompiled.cmake: reads the umbrella once for all files of reject/.
# Included, it sets `precompiled` to the flags that use it.
if(COMPILER_ID MATCHES "Clang")
    set(precompiled -include-pch "${PRECOMPILED}/umbrella.hpp.pch")
    set(written "${PRECOMPILED}/umbrella.hpp.pch")
else()
    set(precompiled -include "${PRECOMPILED}/umbrella.hpp" -Winvalid-pch -Werror=invalid-pch -Wno-ignored-attributes) # Eigen says the last itself, but not across this
    set(written "${PRECOMPILED}/umbrella.hpp.gch")
endif()
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    file(MAKE_DIRECTORY "${PRECOMPILED}")
    file(WRITE "${PRECOMPILED}/umbrella.hpp" "#include <ahead/ahead.hpp>\n")
    separate_arguments(flags UNIX_COMMAND "${FLAGS}")
    execute_process(COMMAND "${COMPILER}" ${flags} -x c++-header "${PRECOMPILED}/umbrella.hpp" -o "${written}" COMMAND_ERROR_IS_FATAL ANY)
endif()
