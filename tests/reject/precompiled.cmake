# cmake -DCOMPILER=... -DCOMPILER_ID=... -DFLAGS=... -DPRECOMPILED=<folder> -P precompiled.cmake: reads what the files of reject/ begin with once for all of them:
# `umbrella`, and `frontend` for those that include nothing else. Included with FILE, it sets `precompiled` to the flags that use what FILE begins with, and
# `header` to that one's name.
set(of_umbrella "#include <ahead/ahead.hpp>\n")
set(of_frontend "#include <ahead/frontend/handles/functions.hpp>\n#include <ahead/frontend/fx/fx.hpp>\n#include <ahead/frontend/handles/trace.hpp>\n")
set(ending gch)
set(plain -fno-diagnostics-show-caret -fdiagnostics-color=never) # compilers' errors are measured alike
set(all_errors -fmax-errors=0)
if(COMPILER_ID MATCHES "Clang")
    set(ending pch)
    set(plain -fno-caret-diagnostics -fno-color-diagnostics)
    set(all_errors -ferror-limit=0)
endif()
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    file(MAKE_DIRECTORY "${PRECOMPILED}")
    separate_arguments(flags UNIX_COMMAND "${FLAGS}")
    foreach(header IN ITEMS umbrella frontend)
        file(WRITE "${PRECOMPILED}/${header}.hpp" "${of_${header}}")
        execute_process(COMMAND "${COMPILER}" ${flags} -x c++-header "${PRECOMPILED}/${header}.hpp" -o "${PRECOMPILED}/${header}.hpp.${ending}" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
else()
    file(STRINGS "${FILE}" includes REGEX "^#include <ahead/")
    list(FILTER includes EXCLUDE REGEX "<ahead/(frontend|core)/")
    set(header frontend)
    if(includes)
        set(header umbrella)
    endif()
    if(ending STREQUAL pch)
        set(precompiled -include-pch "${PRECOMPILED}/${header}.hpp.pch")
    else()
        set(precompiled -include "${PRECOMPILED}/${header}.hpp" -Winvalid-pch -Werror=invalid-pch -Wno-ignored-attributes) # Eigen says the last itself, but not across this
    endif()
endif()

# Whether FILE is compiled by itself: what specialises a template of ahead's stands in no namespace.
macro(stands_alone file out)
    file(STRINGS "${file}" ${out} REGEX "^template <> struct ahead::|^#define ")
endmacro()
