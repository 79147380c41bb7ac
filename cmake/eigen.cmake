# Gives the target Eigen3::Eigen (3.4 or 5) without ever writing outside the build folder.
# AHEAD_EIGEN_SOURCE chooses where it comes from; auto tries the others in this order:
#   system   an installed Eigen, by find_package
#   package  Debian's libeigen3-dev, downloaded and unpacked into the build folder, not installed
#   fetch    the release archive of Eigen 3.4.0, checked against its SHA256
# In every case Eigen3_DIR ends up naming the folder of an Eigen3Config.cmake.
if(TARGET Eigen3::Eigen)
    return() # the enclosing project brought its own
endif()

set(AHEAD_EIGEN_SOURCE auto CACHE STRING "Where Eigen comes from: auto, system, package or fetch")
set_property(CACHE AHEAD_EIGEN_SOURCE PROPERTY STRINGS auto system package fetch)
if(NOT AHEAD_EIGEN_SOURCE MATCHES "^(auto|system|package|fetch)$")
    message(FATAL_ERROR "AHEAD_EIGEN_SOURCE is '${AHEAD_EIGEN_SOURCE}'; it must be auto, system, package or fetch")
endif()
set(AHEAD_EIGEN_URL "https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz" CACHE STRING "Where to fetch the archive of Eigen 3.4.0")
mark_as_advanced(AHEAD_EIGEN_URL)

# Downloads libeigen3-dev with apt-get and unpacks it below `folder`. Lists and caches of its own where the machine has no package lists.
function(ahead_unpack_eigen_package folder)
    find_program(AHEAD_APT_GET apt-get)
    find_program(AHEAD_DPKG_DEB dpkg-deb)
    mark_as_advanced(AHEAD_APT_GET AHEAD_DPKG_DEB)
    if(NOT AHEAD_APT_GET OR NOT AHEAD_DPKG_DEB)
        return()
    endif()
    file(MAKE_DIRECTORY "${folder}/download" "${folder}/apt/lists/partial" "${folder}/apt/cache/archives/partial")
    set(private_cache -o APT::Sandbox::User= -o "Dir::Cache=${folder}/apt/cache")
    set(private_lists -o "Dir::State::lists=${folder}/apt/lists")
    execute_process(COMMAND "${AHEAD_APT_GET}" -qq ${private_cache} download libeigen3-dev
        WORKING_DIRECTORY "${folder}/download" OUTPUT_QUIET ERROR_QUIET TIMEOUT 120)
    file(GLOB archives "${folder}/download/libeigen3-dev_*.deb")
    if(NOT archives)
        execute_process(COMMAND "${AHEAD_APT_GET}" -qq ${private_cache} ${private_lists} update
            WORKING_DIRECTORY "${folder}/download" OUTPUT_QUIET ERROR_QUIET TIMEOUT 300)
        execute_process(COMMAND "${AHEAD_APT_GET}" -qq ${private_cache} ${private_lists} download libeigen3-dev
            WORKING_DIRECTORY "${folder}/download" OUTPUT_QUIET ERROR_QUIET TIMEOUT 120)
        file(GLOB archives "${folder}/download/libeigen3-dev_*.deb")
    endif()
    file(REMOVE_RECURSE "${folder}/apt")
    if(archives)
        list(GET archives -1 archive)
        execute_process(COMMAND "${AHEAD_DPKG_DEB}" -x "${archive}" "${folder}" OUTPUT_QUIET ERROR_QUIET)
    endif()
endfunction()

# Downloads the release archive below `folder`, refuses it if its hash differs, and writes a package file for it. Not FetchContent: a failed
# download would stop the configuration before the one message below can say what to do.
function(ahead_fetch_eigen folder)
    set(archive "${folder}/eigen-3.4.0.tar.gz")
    file(DOWNLOAD "${AHEAD_EIGEN_URL}" "${archive}" STATUS status TIMEOUT 300 INACTIVITY_TIMEOUT 30)
    list(GET status 0 failed)
    if(failed)
        file(REMOVE "${archive}")
        return()
    endif()
    file(SHA256 "${archive}" hash)
    if(NOT hash STREQUAL "8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72")
        message(WARNING "${AHEAD_EIGEN_URL} is not the archive of Eigen 3.4.0 (SHA256 ${hash}); not used")
        file(REMOVE "${archive}")
        return()
    endif()
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${folder}" PATTERNS "eigen-3.4.0/Eigen/*")
    file(WRITE "${folder}/Eigen3Config.cmake"
        "if(NOT TARGET Eigen3::Eigen)\n"
        "    add_library(Eigen3::Eigen INTERFACE IMPORTED)\n"
        "    target_include_directories(Eigen3::Eigen INTERFACE \"\${CMAKE_CURRENT_LIST_DIR}/eigen-3.4.0\")\n"
        "endif()\n")
    include(CMakePackageConfigHelpers)
    write_basic_package_version_file("${folder}/Eigen3ConfigVersion.cmake" VERSION 3.4.0 COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
endfunction()

# An installed Eigen, 3.4 or 5: asked for 3.4, Eigen 5 says that it does not fit, so it is asked for by name. First where Eigen3_DIR
# says, also where a toolchain looks for packages elsewhere.
macro(ahead_find_eigen)
    set(ahead_eigen_given "${Eigen3_DIR}")
    foreach(version IN ITEMS 3.4 5)
        if(NOT TARGET Eigen3::Eigen AND ahead_eigen_given)
            find_package(Eigen3 ${version} NO_MODULE QUIET GLOBAL PATHS "${ahead_eigen_given}" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
        endif()
    endforeach()
    foreach(version IN ITEMS 3.4 5)
        if(NOT TARGET Eigen3::Eigen)
            find_package(Eigen3 ${version} NO_MODULE QUIET GLOBAL)
        endif()
    endforeach()
endmacro()

if(AHEAD_EIGEN_SOURCE MATCHES "^(auto|system)$")
    if(AHEAD_EIGEN_SOURCE STREQUAL "system" AND "${Eigen3_DIR}" MATCHES "/_eigen/(package|fetch)")
        unset(Eigen3_DIR CACHE)
    endif()
    ahead_find_eigen()
endif()

foreach(source IN ITEMS package fetch)
    if(NOT TARGET Eigen3::Eigen AND AHEAD_EIGEN_SOURCE MATCHES "^(auto|${source})$")
        set(ahead_eigen_folder "${PROJECT_BINARY_DIR}/_eigen/${source}")
        if(source STREQUAL "package")
            set(ahead_eigen_config "${ahead_eigen_folder}/usr/share/eigen3/cmake")
        else()
            set(ahead_eigen_config "${ahead_eigen_folder}")
        endif()
        if(NOT EXISTS "${ahead_eigen_config}/Eigen3Config.cmake")
            message(STATUS "Eigen: trying '${source}' into ${ahead_eigen_folder}")
            if(source STREQUAL "package")
                ahead_unpack_eigen_package("${ahead_eigen_folder}")
            else()
                ahead_fetch_eigen("${ahead_eigen_folder}")
            endif()
        endif()
        if(EXISTS "${ahead_eigen_config}/Eigen3Config.cmake")
            set(Eigen3_DIR "${ahead_eigen_config}" CACHE PATH "The folder of Eigen3Config.cmake" FORCE)
            find_package(Eigen3 3.4 NO_MODULE QUIET GLOBAL)
        endif()
    endif()
endforeach()

if(NOT TARGET Eigen3::Eigen)
    message(FATAL_ERROR "ahead needs Eigen 3.4 or later, and found none (AHEAD_EIGEN_SOURCE=${AHEAD_EIGEN_SOURCE}).\n"
        "Install it (Debian, Ubuntu: apt-get install libeigen3-dev; Fedora: dnf install eigen3-devel; macOS: brew install eigen@3), "
        "or set Eigen3_DIR to the folder of an Eigen3Config.cmake.")
endif()
message(STATUS "Eigen ${Eigen3_VERSION}: ${Eigen3_DIR}")
