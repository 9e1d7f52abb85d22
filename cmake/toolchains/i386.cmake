# Building for 32 bits on a 64-bit Debian, with gcc-multilib and the libraries' :i386 packages: `cmake --preset i386`.
# Its processor counts in 80 bits by default; sse2 makes doubles what they are everywhere else.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER gcc)
set(CMAKE_C_FLAGS_INIT "-m32 -msse2 -mfpmath=sse")
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
set(CMAKE_IGNORE_PATH /usr/lib/x86_64-linux-gnu)
