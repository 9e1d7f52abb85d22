# Cross-building for s390x, a big-endian machine, with Debian's gcc-s390x-linux-gnu; tests run under qemu-user-static:
# `cmake --preset s390x`. docs/building.md says which packages it takes.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x-static)
