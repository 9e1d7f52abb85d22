# What liblvl stands on, as one target lvl::deps. Serves the build and, installed beside lvlConfig.cmake, whoever
# links the static library. Looks by header and library name and not by pkg-config or CMake packages, since
# Debian's yyjson, libspng and isa-l bring different ones from release to release.
#
# isa-l is optional: without it (other processors than it knows) PNGs are packed by libdeflate. LVL_HAVE_ISAL says.
# libjpeg (turbo or other) is optional: without it JPEGs aren't read. LVL_HAVE_JPEG says.
# zstd is optional: without it maps of Tiled whose cells are packed with it aren't read. LVL_HAVE_ZSTD says.
# libarchive is optional: without it archives other than zips aren't read. LVL_HAVE_ARCHIVE says. A shared one (ELF) is not linked
# but opened by its SONAME when the first archive is read (os/library.h): LVL_ARCHIVE_SONAME.
# SQLite is optional: without it there are no catalogues (lvl scan, find, catalog). LVL_HAVE_SQLITE says.
include(FindPackageHandleStandardArgs)
include(CMakeFindDependencyMacro)

set(lvl_deps_needed)
set(lvl_deps_libraries)
set(lvl_deps_includes)
macro(lvl_find_dep var header library required)
    find_path(LVL_${var}_INCLUDE_DIR ${header} ${ARGN})
    find_library(LVL_${var}_LIBRARY NAMES ${library} ${library}_static)
    mark_as_advanced(LVL_${var}_INCLUDE_DIR LVL_${var}_LIBRARY)
    if(${required})
        list(APPEND lvl_deps_needed LVL_${var}_LIBRARY LVL_${var}_INCLUDE_DIR)
    endif()
    if(LVL_${var}_LIBRARY AND LVL_${var}_INCLUDE_DIR)
        list(APPEND lvl_deps_libraries ${LVL_${var}_LIBRARY})
        list(APPEND lvl_deps_includes ${LVL_${var}_INCLUDE_DIR})
    endif()
endmacro()

lvl_find_dep(YYJSON yyjson.h yyjson TRUE)
lvl_find_dep(SPNG spng.h spng TRUE)
lvl_find_dep(GIF gif_lib.h gif TRUE)
lvl_find_dep(JPEG jpeglib.h jpeg FALSE)
lvl_find_dep(ISAL isa-l/igzip_lib.h isal FALSE)
lvl_find_dep(EXPAT expat.h expat TRUE)
lvl_find_dep(ARCHIVE archive.h archive FALSE)
if(LVL_ARCHIVE_LIBRARY MATCHES "\\.a$") # a static one does not name what it needs: scripts/deps builds it with these
    lvl_find_dep(LZMA lzma.h lzma FALSE)
    lvl_find_dep(BZIP2 bzlib.h bz2 FALSE)
endif()
set(LVL_ARCHIVE_SONAME)
if(LVL_ARCHIVE_LIBRARY MATCHES "\\.so$" AND NOT APPLE AND CMAKE_READELF)
    execute_process(COMMAND ${CMAKE_READELF} -d ${LVL_ARCHIVE_LIBRARY} OUTPUT_VARIABLE lvl_dynamic ERROR_QUIET)
    if(lvl_dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
        set(LVL_ARCHIVE_SONAME ${CMAKE_MATCH_1})
        list(REMOVE_ITEM lvl_deps_libraries ${LVL_ARCHIVE_LIBRARY})
        file(REAL_PATH ${LVL_ARCHIVE_LIBRARY} lvl_real)
        execute_process(COMMAND dpkg-query -S ${lvl_real} OUTPUT_VARIABLE lvl_owner RESULT_VARIABLE lvl_result ERROR_QUIET)
        set(LVL_ARCHIVE_PACKAGE libarchive) # as most systems name it
        if(lvl_result EQUAL 0 AND lvl_owner MATCHES "^([^:]+):")
            set(LVL_ARCHIVE_PACKAGE ${CMAKE_MATCH_1})
        endif()
    endif()
endif()
lvl_find_dep(ZSTD zstd.h zstd FALSE) # after libarchive, which needs it
lvl_find_dep(SQLITE sqlite3.h sqlite3 FALSE)
lvl_find_dep(DEFLATE libdeflate.h deflate TRUE)
lvl_find_dep(ZLIB zlib.h z TRUE)
find_package(Threads QUIET)

find_package_handle_standard_args(lvl_deps
    REQUIRED_VARS ${lvl_deps_needed} Threads_FOUND
    REASON_FAILURE_MESSAGE "A library that lvl needs is missing. On Debian, scripts/setup installs them.")

if(lvl_deps_FOUND AND NOT TARGET lvl::deps)
    list(REMOVE_DUPLICATES lvl_deps_includes)
    # The compiler looks in its own directories unasked, and naming /usr/include again reorders them.
    list(REMOVE_ITEM lvl_deps_includes ${CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES})
    add_library(lvl::deps INTERFACE IMPORTED)
    set_target_properties(lvl::deps PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${lvl_deps_includes}")
    target_link_libraries(lvl::deps INTERFACE ${lvl_deps_libraries} Threads::Threads)
    if(UNIX)
        target_link_libraries(lvl::deps INTERFACE m ${CMAKE_DL_LIBS})
    endif()
    # libspng's own build calls its static form so, and on Windows the header has to be told.
    if(LVL_SPNG_LIBRARY MATCHES "spng_static")
        target_compile_definitions(lvl::deps INTERFACE SPNG_STATIC)
    endif()
    if(LVL_ISAL_LIBRARY AND LVL_ISAL_INCLUDE_DIR)
        target_compile_definitions(lvl::deps INTERFACE LVL_HAVE_ISAL)
    endif()
    if(LVL_JPEG_LIBRARY AND LVL_JPEG_INCLUDE_DIR)
        set_property(TARGET lvl::deps APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS LVL_HAVE_JPEG)
    endif()
    if(LVL_ARCHIVE_LIBRARY AND LVL_ARCHIVE_INCLUDE_DIR)
        set_property(TARGET lvl::deps APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS LVL_HAVE_ARCHIVE)
        if(LVL_ARCHIVE_SONAME)
            set_property(TARGET lvl::deps APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
                "LVL_ARCHIVE_SONAME=\"${LVL_ARCHIVE_SONAME}\"" "LVL_ARCHIVE_PACKAGE=\"${LVL_ARCHIVE_PACKAGE}\"")
        endif()
        if(WIN32 AND NOT LVL_ARCHIVE_LIBRARY MATCHES "\\.dll\\.a$") # the header expects a DLL otherwise
            set_property(TARGET lvl::deps APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS LIBARCHIVE_STATIC)
        endif()
    endif()
    if(LVL_ZSTD_LIBRARY AND LVL_ZSTD_INCLUDE_DIR)
        set_property(TARGET lvl::deps APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS LVL_HAVE_ZSTD)
    endif()
    if(LVL_SQLITE_LIBRARY AND LVL_SQLITE_INCLUDE_DIR)
        set_property(TARGET lvl::deps APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS LVL_HAVE_SQLITE)
    endif()
endif()
