# The library with everything that it needs inside, for wheels of the Python package: `cmake --preset wheel`. `scripts/deps wheel` builds the
# libraries that lvl needs into build/deps/wheel.
if(NOT LVL_WHEEL_ROOT)
    get_filename_component(LVL_WHEEL_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/deps/wheel ABSOLUTE)
endif()
set(CMAKE_C_COMPILER gcc)
# Libraries come from there alone, so that no shared one of this machine is taken.
set(CMAKE_FIND_ROOT_PATH ${LVL_WHEEL_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Hardening, of the libraries, too: scripts/deps takes its flags from this line.
set(CMAKE_C_FLAGS_INIT "-fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fcf-protection")
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # also for the assembly of libjpeg-turbo
# Names of the libraries inside must not meet those of a program or another package.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-z,relro,-z,now -Wl,--exclude-libs,ALL -static-libgcc")
