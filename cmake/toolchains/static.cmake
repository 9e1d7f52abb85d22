# A program without shared libraries, for any Linux of this processor: `cmake --preset static`. `scripts/deps static` builds the
# libraries that lvl needs into build/deps/static; LVL_STATIC_ROOT, a variable of CMake or of the environment, names another folder.
if(NOT LVL_STATIC_ROOT)
    if(DEFINED ENV{LVL_STATIC_ROOT})
        set(LVL_STATIC_ROOT $ENV{LVL_STATIC_ROOT})
    else()
        get_filename_component(LVL_STATIC_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/deps/static ABSOLUTE)
    endif()
endif()
set(CMAKE_C_COMPILER gcc)
# Libraries come from there alone, so that no shared one of this machine is taken.
set(CMAKE_FIND_ROOT_PATH ${LVL_STATIC_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Hardening, of the libraries, too: scripts/deps takes its flags from this line. PIC, since a shared library contains them, too.
set(CMAKE_C_FLAGS_INIT "-fPIC -fno-semantic-interposition -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fcf-protection")
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # also for the assembly of libjpeg-turbo
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static-pie -Wl,-z,relro,-z,now")
# The library for wheels of the Python package, of the same objects, with all libraries but the C library inside. Their names must
# not meet those of a program or another package.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-z,relro,-z,now -Wl,--exclude-libs,ALL -static-libgcc")
