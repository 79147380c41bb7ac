# cmake -DCHROMIUM=<program> -DPAGE=<report.html> -DEXPECTED=<"key number" lines> -DWORK=<folder> -P browser.cmake
#
# Opens a report in a headless browser and compares what is there to see with what its plan says (probe.html measures). Nothing may be loaded, nothing may go wrong on the
# console. Leaves a screenshot in the folder.
cmake_minimum_required(VERSION 3.25)
if(NOT CHROMIUM)
    message(STATUS "SKIPPED: no chromium")
    return()
endif()

cmake_path(GET PAGE STEM name)
file(MAKE_DIRECTORY "${WORK}")
file(REMOVE_RECURSE "${WORK}/${name}.profile" "${WORK}/${name}.png") # a browser that was cut off leaves its profile locked
file(READ "${PAGE}" page)
file(READ "${CMAKE_CURRENT_LIST_DIR}/probe.html" probe)
file(WRITE "${WORK}/${name}.probed.html" "${page}${probe}") # behind </body>, which browsers mend
# No network, whatever a page asks for; a profile of its own.
set(browser "${CHROMIUM}" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --hide-scrollbars "--user-data-dir=${WORK}/${name}.profile"
    "--host-resolver-rules=MAP * ~NOTFOUND" --enable-logging=stderr --log-level=0 --window-size=1400,2600)
execute_process(COMMAND ${browser} --dump-dom "file://${WORK}/${name}.probed.html" OUTPUT_VARIABLE dom ERROR_VARIABLE log RESULT_VARIABLE result TIMEOUT 120)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "browser: chromium ended with ${result}\n${log}")
endif()
string(REGEX MATCHALL "[^\n]*CONSOLE[^\n]*" errors "${log}")
list(LENGTH errors error_count)
string(REGEX MATCH "<pre id=\"probe\">([^<]*)</pre>" matched "${dom}")
set(found "${CMAKE_MATCH_1}errors ${error_count}\n")

set(complaints "")
file(STRINGS "${EXPECTED}" wanted)
foreach(line IN LISTS wanted)
    string(FIND "\n${found}" "\n${line}\n" at)
    if(at EQUAL -1)
        string(REGEX MATCH "^[a-z_]+" key "${line}")
        string(REGEX MATCH "\n${key} [^\n]*" instead "\n${found}")
        string(STRIP "${instead}" instead)
        string(APPEND complaints "  - ${line}, but the browser says: ${instead}\n")
    endif()
endforeach()
if(complaints)
    message(FATAL_ERROR "browser: ${PAGE} is not its plan\n${complaints}${errors}")
endif()
execute_process(COMMAND ${browser} "--screenshot=${WORK}/${name}.png" "file://${PAGE}" OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result TIMEOUT 120)
if(NOT result EQUAL 0 OR NOT EXISTS "${WORK}/${name}.png")
    message(FATAL_ERROR "browser: chromium drew no ${WORK}/${name}.png: ${result}")
endif()
file(SIZE "${WORK}/${name}.png" size)
if(size LESS 20000)
    message(FATAL_ERROR "browser: ${WORK}/${name}.png has ${size} bytes: nothing is drawn")
endif()
