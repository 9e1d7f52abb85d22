# Cross-building for Windows with Debian's mingw-w64: `cmake --preset windows`. `scripts/deps windows` builds the libraries that
# lvl needs, static, into build/deps/windows; LVL_WINDOWS_ROOT, a variable of CMake or of the environment, names another folder.
# Debian 13 has a compiler for the UCRT, the C library of Windows 10 and later, which knows UTF-8. Debian 12 has only the one for
# msvcrt.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
find_program(lvl_ucrt_gcc x86_64-w64-mingw32ucrt-gcc)
if(lvl_ucrt_gcc)
    set(lvl_triple x86_64-w64-mingw32ucrt)
else()
    set(lvl_triple x86_64-w64-mingw32)
endif()
set(CMAKE_C_COMPILER ${lvl_triple}-gcc)
set(CMAKE_RC_COMPILER ${lvl_triple}-windres)
if(NOT LVL_WINDOWS_ROOT)
    if(DEFINED ENV{LVL_WINDOWS_ROOT})
        set(LVL_WINDOWS_ROOT $ENV{LVL_WINDOWS_ROOT})
    else()
        get_filename_component(LVL_WINDOWS_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/deps/windows ABSOLUTE)
    endif()
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
set(CMAKE_FIND_ROOT_PATH ${LVL_WINDOWS_ROOT} /usr/${lvl_triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Hardening, of the libraries, too: scripts/deps takes its flags from this line.
set(CMAKE_C_FLAGS_INIT "-fstack-protector-strong")
# Programs that need no DLL but Windows' own; addresses are random, data is not executable, and two builds are the same.
set(lvl_link "-static -Wl,--dynamicbase,--high-entropy-va,--nxcompat,--no-insert-timestamp")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${lvl_link}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${lvl_link}")
