# Headers, both libraries, the command, pkg-config and CMake packages, man pages and completions.
set(lvl_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lvl)

install(FILES ${lvl_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lvl)
foreach(kind shared static)
    install(TARGETS lvl_${kind} EXPORT lvl_${kind}_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
if(TARGET lvl_command)
    install(TARGETS lvl_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT lvl_shared_targets NAMESPACE lvl:: FILE lvlTargets.cmake DESTINATION ${lvl_cmake_dir})
install(EXPORT lvl_static_targets NAMESPACE lvl:: FILE lvlStaticTargets.cmake DESTINATION ${lvl_cmake_dir})
configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/lvlConfig.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/lvlConfig.cmake INSTALL_DESTINATION ${lvl_cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/lvlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lvlConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/lvlConfigVersion.cmake
    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/Findlvl_deps.cmake DESTINATION ${lvl_cmake_dir})

# pkg-config: what the static library stands on, as plain libraries. Requires.private would make pkg-config look for their
# .pc files even for who links the shared library and has none of them.
set(lvl_pc_libs "")
foreach(var YYJSON SPNG GIF JPEG ISAL EXPAT ARCHIVE LZMA BZIP2 ZSTD SQLITE DEFLATE ZLIB)
    if(LVL_${var}_LIBRARY AND LVL_${var}_INCLUDE_DIR AND NOT (var STREQUAL "ARCHIVE" AND LVL_ARCHIVE_SONAME))
        get_filename_component(lvl_pc_dir ${LVL_${var}_LIBRARY} DIRECTORY)
        get_filename_component(lvl_pc_name ${LVL_${var}_LIBRARY} NAME_WE)
        string(REGEX REPLACE "^lib" "" lvl_pc_name ${lvl_pc_name})
        if(NOT lvl_pc_dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
            string(APPEND lvl_pc_libs " -L${lvl_pc_dir}")
        endif()
        string(APPEND lvl_pc_libs " -l${lvl_pc_name}")
    endif()
endforeach()
foreach(lvl_pc_name ${CMAKE_DL_LIBS})
    string(APPEND lvl_pc_libs " -l${lvl_pc_name}")
endforeach()
string(STRIP "${lvl_pc_libs}" lvl_pc_libs)
# The prefix is told from where the file lies, so an installed tree may be moved (or staged under DESTDIR).
file(RELATIVE_PATH lvl_pc_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" lvl_pc_up ${lvl_pc_up})
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/lvl.pc.in ${CMAKE_CURRENT_BINARY_DIR}/lvl.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lvl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB lvl_man_pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/man/*.1)
if(lvl_man_pages)
    install(FILES ${lvl_man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# How other programs recognize our files: file(1), the desktop's MIME database, its menu of programs, its thumbnails.
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/data/lvl.magic DESTINATION ${CMAKE_INSTALL_DATADIR}/lvl)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/data/lvl-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME lvl.xml)
if(UNIX AND NOT APPLE)
    install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/data/linux/lvl.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/data/linux/lvl.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
    install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/data/icons/lvl.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

# The page that `lvl view' fills, where `make web' has built it.
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/build/viewer/lvl.html DESTINATION ${CMAKE_INSTALL_DATADIR}/lvl OPTIONAL)

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

# Last: the loader finds a new shared library only after ldconfig, and only where that looks.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING)
    install(CODE "set(lvl_libdir \"${CMAKE_INSTALL_LIBDIR}\")")
    install(SCRIPT ${CMAKE_CURRENT_SOURCE_DIR}/cmake/lvl_ldconfig.cmake)
endif()
