# The same for the UCRT (Debian 13): one answer is another.
include(${CMAKE_CURRENT_LIST_DIR}/libarchive_3.7.4-x86_64-w64-mingw32.cmake)
set(HAVE__GET_TIMEZONE "1" CACHE INTERNAL "")
