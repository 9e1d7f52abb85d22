# Headers, both libraries, the command, pkg-config and CMake packages, man pages and completions.
set(lvl_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lvl)

install(FILES ${lvl_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lvl)
install(TARGETS lvl_shared lvl_static EXPORT lvl_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET lvl_command)
    install(TARGETS lvl_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT lvl_targets NAMESPACE lvl:: FILE lvlTargets.cmake DESTINATION ${lvl_cmake_dir})
configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/lvlConfig.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/lvlConfig.cmake INSTALL_DESTINATION ${lvl_cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/lvlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lvlConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/lvlConfigVersion.cmake
    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/Findlvl_deps.cmake DESTINATION ${lvl_cmake_dir})

# pkg-config: names for what has a .pc file everywhere, plain -l for the rest.
set(lvl_pc_requires "libdeflate zlib yyjson spng")
if(LVL_ISAL_LIBRARY AND LVL_ISAL_INCLUDE_DIR)
    string(APPEND lvl_pc_requires " libisal")
endif()
set(lvl_pc_libs "-lgif")
if(LVL_JPEG_LIBRARY AND LVL_JPEG_INCLUDE_DIR)
    string(APPEND lvl_pc_libs " -ljpeg")
endif()
# The prefix is told from where the file lies, so an installed tree may be moved (or staged under DESTDIR).
file(RELATIVE_PATH lvl_pc_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" lvl_pc_up ${lvl_pc_up})
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/lvl.pc.in ${CMAKE_CURRENT_BINARY_DIR}/lvl.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lvl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB lvl_man_pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/man/*.1)
if(lvl_man_pages)
    install(FILES ${lvl_man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# What tells other programs our files: file(1) and the desktop's MIME database.
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/data/lvl.magic DESTINATION ${CMAKE_INSTALL_DATADIR}/lvl)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/data/lvl-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME lvl.xml)

# Each shell looks for its completions elsewhere and under another name.
set(lvl_completions ${CMAKE_CURRENT_SOURCE_DIR}/data/completions)
if(EXISTS ${lvl_completions}/lvl.bash)
    install(FILES ${lvl_completions}/lvl.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME lvl)
endif()
if(EXISTS ${lvl_completions}/_lvl)
    install(FILES ${lvl_completions}/_lvl DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
if(EXISTS ${lvl_completions}/lvl.fish)
    install(FILES ${lvl_completions}/lvl.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
