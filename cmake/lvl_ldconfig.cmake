# Runs while installing: refreshes the loader's cache where the library went into a system prefix, and else says what programs that use
# it need. lvl_libdir is CMAKE_INSTALL_LIBDIR.
if(NOT "$ENV{DESTDIR}" STREQUAL "")
    return() # staged: whoever puts it in place does this
endif()
if(NOT IS_ABSOLUTE "${lvl_libdir}")
    set(lvl_libdir "${CMAKE_INSTALL_PREFIX}/${lvl_libdir}")
endif()
find_program(lvl_ldconfig ldconfig PATHS /sbin /usr/sbin NO_CACHE)
if(lvl_ldconfig AND CMAKE_INSTALL_PREFIX MATCHES "^/usr(/local)?/?$")
    execute_process(COMMAND ${lvl_ldconfig} RESULT_VARIABLE lvl_failed OUTPUT_QUIET ERROR_QUIET)
endif()
set(lvl_known "")
if(lvl_ldconfig)
    execute_process(COMMAND ${lvl_ldconfig} -p OUTPUT_VARIABLE lvl_known ERROR_QUIET)
endif()
string(FIND "${lvl_known}" " ${lvl_libdir}/liblvl.so" lvl_at)
if(lvl_at EQUAL -1)
    message(STATUS "The loader does not know ${lvl_libdir} yet. To run programs that link liblvl, do one of:\n"
            "     export LD_LIBRARY_PATH=${lvl_libdir}\n"
            "     echo ${lvl_libdir} >/etc/ld.so.conf.d/lvl.conf && ldconfig     (as root)\n"
            "   To compile them: export PKG_CONFIG_PATH=${lvl_libdir}/pkgconfig")
endif()
