# Cross-building lvl.dll for Windows with 32 bits, for programs that load it: `cmake --preset windows32`. `scripts/deps windows32`
# builds the libraries that lvl needs, static, into build/deps/windows32; LVL_WINDOWS32_ROOT, a variable of CMake or of the
# environment, names another folder. Debian has only the compiler for msvcrt.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86)
set(lvl_triple i686-w64-mingw32)
set(CMAKE_C_COMPILER ${lvl_triple}-gcc)
set(CMAKE_RC_COMPILER ${lvl_triple}-windres)
if(NOT LVL_WINDOWS32_ROOT)
    if(DEFINED ENV{LVL_WINDOWS32_ROOT})
        set(LVL_WINDOWS32_ROOT $ENV{LVL_WINDOWS32_ROOT})
    else()
        get_filename_component(LVL_WINDOWS32_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/deps/windows32 ABSOLUTE)
    endif()
endif()
set(CMAKE_FIND_ROOT_PATH ${LVL_WINDOWS32_ROOT} /usr/${lvl_triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Hardening, of the libraries, too: scripts/deps takes its flags from this line. A game may call with a stack of 4 bytes.
set(CMAKE_C_FLAGS_INIT "-fstack-protector-strong -msse2 -mfpmath=sse -mstackrealign")
# No DLL but Windows' own; addresses are random, data is not executable, and two builds are the same.
set(lvl_link "-static -Wl,--dynamicbase,--nxcompat,--no-insert-timestamp")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${lvl_link}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${lvl_link}")
