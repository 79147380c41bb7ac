# Installs the headers and the package ahead: find_package(ahead) gives ahead::ahead, ahead_add_graph(),
# ahead_add_weights(), ahead_add_model() and ahead_export_model().
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ahead_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/ahead")

install(TARGETS ahead EXPORT ahead_targets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT ahead_targets NAMESPACE ahead:: FILE ahead-targets.cmake DESTINATION "${ahead_package_dir}")

file(STRINGS "${PROJECT_SOURCE_DIR}/include/ahead/aot/manifest.hpp" ahead_format REGEX "constexpr int format = [0-9]+;")
string(REGEX MATCH "[0-9]+" ahead_format "${ahead_format}")
configure_package_config_file(cmake/config.cmake.in "${PROJECT_BINARY_DIR}/ahead-config.cmake"
    INSTALL_DESTINATION "${ahead_package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ahead-config-version.cmake" COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
    "${PROJECT_BINARY_DIR}/ahead-config.cmake"
    "${PROJECT_BINARY_DIR}/ahead-config-version.cmake"
    cmake/ahead_add_graph.cmake
    cmake/ahead_add_weights.cmake
    cmake/ahead_add_model.cmake
    cmake/ahead_model_choices.cmake
    cmake/ahead_model_levels.cmake
    cmake/ahead_no_choices.txt
    cmake/ahead_export_model.cmake
    cmake/ahead_exported.cmake.in
    cmake/ahead_generate.cpp.in
    cmake/ahead_pack.cpp.in
    cmake/ahead_embed.cpp.in
    DESTINATION "${ahead_package_dir}")
install(FILES include/ahead/README.md include/ahead/CHANGES.md DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ahead") # the map of the headers beside them
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
