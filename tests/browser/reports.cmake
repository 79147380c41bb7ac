# cmake -DCHROMIUM=<program> -DPAGE=<report.html> -DEXPECTED=<"key number" lines> -DWORK=<folder> -P reports.cmake
#
# browser.cmake must report a page that is not its plan: each of these is the good page with one thing wrong.
cmake_minimum_required(VERSION 3.25)
if(NOT CHROMIUM)
    message(STATUS "SKIPPED: no chromium")
    return()
endif()
file(READ "${PAGE}" good)

# must_report(<key> <regex> <replacement>): the first match replaced, browser.cmake fails and names the key.
function(must_report key regex replacement)
    string(REGEX MATCH "${regex}" matched "${good}")
    string(FIND "${good}" "${matched}" at)
    if(matched STREQUAL "" OR at EQUAL -1)
        message(FATAL_ERROR "reports: ${PAGE} has no ${regex}")
    endif()
    string(SUBSTRING "${good}" 0 ${at} before)
    string(LENGTH "${matched}" length)
    math(EXPR rest "${at} + ${length}")
    string(SUBSTRING "${good}" ${rest} -1 after)
    string(REGEX REPLACE "${regex}" "${replacement}" instead "${matched}")
    file(WRITE "${WORK}/wrong_${key}.html" "${before}${instead}${after}")
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DCHROMIUM=${CHROMIUM}" "-DPAGE=${WORK}/wrong_${key}.html" "-DEXPECTED=${EXPECTED}" "-DWORK=${WORK}"
        -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/browser.cmake" RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "  - ${key} [0-9]+, but")
        message(SEND_ERROR "reports: a page with other ${key} was not reported as that:\n${said}")
    endif()
endfunction()

must_report(tasks "class=\"task product\"" "class=\"product\"")
must_report(lanes "class=\"lane\"" "class=\"line\"")
must_report(blocks "class=\"block c1\"" "class=\"c1\"")
must_report(captured "class=\"node product\" data-node=\"([0-9]+)\"" "class=\"product\" data-node=\"\\1\"")
must_report(ready "<script>\n\"use strict\";" "<script>\nreturn;")
must_report(errors "<script>\n\"use strict\";" "<script>\"use strict\"; console.error(1);")
must_report(errors "<h2>Passes</h2>" "<h2>Passes</h2><img src=\"http://localhost:9/\">") # the page's own policy refuses it
must_report(loaded "<meta http-equiv=[^>]*>" "<link rel=\"stylesheet\" href=\"other.css\">")
must_report(outside "<text class=\"name\" x=\"([0-9]+)" "<text class=\"name\" x=\"9\\1")
must_report(overlapping "data-offset=\"0\" data-bytes=\"18816\"([^>]*) y=\"[0-9.]+\"" "data-offset=\"0\" data-bytes=\"18816\"\\1 y=\"0.0\"")
must_report(invisible "class=\"task product\"([^>]*) height=\"[0-9.]+\"" "class=\"task product\"\\1 height=\"0\"")
must_report(unlit "<g data-on=\"([0-9]+)\">" "<g data-on=\"x\\1\">")
must_report(wider_than_window "<h2>Passes</h2>" "<h2 style=\"width: 2000px\">Passes</h2>")
must_report(not_alone "data-show=\"captured\"" "data-show=\"captured\" disabled")
