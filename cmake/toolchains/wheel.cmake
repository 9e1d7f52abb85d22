# The library with everything that it needs inside, for wheels of the Python package: `cmake --preset wheel`. Libraries, compiler and
# flags are those of the static program.
include(${CMAKE_CURRENT_LIST_DIR}/static.cmake)
unset(CMAKE_EXE_LINKER_FLAGS_INIT)
# Names of the libraries inside must not meet those of a program or another package.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-z,relro,-z,now -Wl,--exclude-libs,ALL -static-libgcc")
