# cmake -DROOT=<source tree> -P prose.cmake
#
# Comments of include/ahead are plain English. These words were a dialect of the house, in which a reader had to guess what
# was meant: "what stands behind it" is "the task after it".
cmake_minimum_required(VERSION 3.25)
set(words "[Bb]ehind" "[Bb]esides?" "[Ss]o many" "[Ww]ho(ever)?" "[Nn]obody" "(stands?|lies?)" "(is|are) no")
list(JOIN words "|" any)
set(banned "(^|[^A-Za-z_'\"`])(${any})([^A-Za-z_'\"`.(]|\\.?$|\\. )")
set(subject "(^|[.:;] )What ") # a sentence without a subject: "What a task takes." is "The demand of a task."
file(GLOB_RECURSE headers RELATIVE "${ROOT}" "${ROOT}/include/ahead/*.hpp")
set(complaints "")
foreach(header IN LISTS headers)
    file(STRINGS "${ROOT}/${header}" lines REGEX "(^|[ \t])//")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^.*(^|[ \t])///?<?[ \t]?" "" comment "${line}")
        string(REGEX REPLACE "(is|are) no (longer|more)" "" comment "${comment}")
        if(comment MATCHES "${banned}")
            string(APPEND complaints "  - ${header}: '${CMAKE_MATCH_2}' in: ${comment}\n")
        elseif(comment MATCHES "${subject}" AND NOT comment MATCHES "\\?")
            string(APPEND complaints "  - ${header}: 'What' is no question in: ${comment}\n")
        endif()
    endforeach()
endforeach()
if(NOT complaints STREQUAL "")
    message(FATAL_ERROR "prose: comments are plain English, subject, verb, object\n${complaints}")
endif()
