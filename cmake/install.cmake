# What `cmake --install` puts where: the executable, the library in both forms, headers, the CMake package HeliaAot and
# a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/HeliaAot)

install(TARGETS helia-aot EXPORT HeliaAotTools RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set_target_properties(helia_aot_shared PROPERTIES EXPORT_NAME helia_aot)
install(TARGETS helia_aot_shared EXPORT HeliaAotLibrary LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS helia_aot ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/helia_aot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY runtime DESTINATION ${CMAKE_INSTALL_DATADIR}/helia-aot FILES_MATCHING PATTERN "*.h")

install(EXPORT HeliaAotTools NAMESPACE HeliaAot:: DESTINATION ${package_dir})
install(EXPORT HeliaAotLibrary NAMESPACE HeliaAot:: DESTINATION ${package_dir})
configure_package_config_file(cmake/HeliaAotConfig.cmake.in ${CMAKE_BINARY_DIR}/HeliaAotConfig.cmake
    INSTALL_DESTINATION ${package_dir}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_DATADIR CMAKE_INSTALL_LIBDIR)
# The package serves targets of every pointer size: its executable runs on the build machine.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/HeliaAotConfigVersion.cmake COMPATIBILITY SameMinorVersion
    ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/HeliaAotConfig.cmake ${CMAKE_BINARY_DIR}/HeliaAotConfigVersion.cmake
    cmake/HeliaAotFunctions.cmake DESTINATION ${package_dir})

# The prefix may be given to `cmake --install` only, so the pkg-config file is made then.
install(CODE "
    set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
    set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
    set(PROJECT_VERSION \"${PROJECT_VERSION}\")
    get_filename_component(CMAKE_INSTALL_PREFIX \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
    configure_file(\"${CMAKE_SOURCE_DIR}/cmake/helia_aot.pc.in\" \"${CMAKE_BINARY_DIR}/helia_aot.pc\" @ONLY)")
install(FILES ${CMAKE_BINARY_DIR}/helia_aot.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
