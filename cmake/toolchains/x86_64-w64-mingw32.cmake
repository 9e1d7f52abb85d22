# Cross-building for Windows with Debian's gcc-mingw-w64-x86-64: `cmake --preset windows`. The libraries that lvl stands
# on, built static for it, are looked for below LVL_WINDOWS_ROOT (a variable of CMake's or of the environment) and below
# the compiler's own folder. docs/building.md says how to make them.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
if(NOT LVL_WINDOWS_ROOT)
    set(LVL_WINDOWS_ROOT $ENV{LVL_WINDOWS_ROOT})
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
set(CMAKE_FIND_ROOT_PATH ${LVL_WINDOWS_ROOT} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Programs that need no DLL but Windows' own.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
