# Flags of our own code: an interface target, so that nothing leaks into what links us.
add_library(lvl_options INTERFACE)

if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    # -Wconversion without its sign half: sizes, offsets and signed fields of a file meet everywhere, and the casts
    # that would silence it hide more than they show (docs/decisions.md).
    set(lvl_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
        -Wmissing-prototypes -Wold-style-definition -Wcast-qual -Wpointer-arith -Wformat=2 -Wundef -Wvla
        -Wwrite-strings -Wimplicit-fallthrough)
    if(MINGW)
        # Its isfinite() and the like look at doubles as floats, in branches that are never taken; and printf counts as
        # msvcrt's in others' headers. Formats are judged where they are C's.
        list(REMOVE_ITEM lvl_warnings -Wformat=2)
        list(APPEND lvl_warnings -Wno-float-conversion -Wno-format -Wno-format-extra-args)
    endif()
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
        # Constants are enums here, and clang 19 finds odd that two counts are added, or a width to a double.
        list(APPEND lvl_warnings -Wno-enum-float-conversion -Wno-enum-enum-conversion)
    endif()
    target_compile_options(lvl_options INTERFACE ${lvl_warnings})
    if(LVL_WERROR)
        target_compile_options(lvl_options INTERFACE -Werror)
    endif()
endif()

if(MINGW)
    # printf as C11 has it; msvcrt's own knows no %zu.
    target_compile_definitions(lvl_options INTERFACE __USE_MINGW_ANSI_STDIO=1)
endif()

if(APPLE)
    # Its headers hide flock, st_mtimespec and the number of processors from files that ask for POSIX, unless this is asked for, too.
    target_compile_definitions(lvl_options INTERFACE _DARWIN_C_SOURCE)
endif()

if(LVL_SANITIZE)
    set(lvl_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(lvl_options INTERFACE ${lvl_sanitizers})
    target_link_options(lvl_options INTERFACE ${lvl_sanitizers})
endif()

if(LVL_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "LVL_FUZZ needs clang: cmake --preset fuzz, or -DCMAKE_C_COMPILER=clang")
    endif()
    # Everything counts edges; only the fuzz targets link the driver.
    target_compile_options(lvl_options INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(lvl_options INTERFACE -fsanitize=fuzzer-no-link)
    # The same inputs take the same paths in each run.
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/src/base/hash.c PROPERTIES
        COMPILE_DEFINITIONS LVL_FIXED_HASH_SEED)
    # The driver learns from comparisons, but recording them takes half of the time, and only those of numbers in binary files teach it
    # anything: texts are compared by memcmp, which it watches anyway.
    target_compile_options(lvl_options INTERFACE -fno-sanitize-coverage=trace-cmp)
    file(GLOB lvl_binary_readers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/wap32/*.c ${CMAKE_CURRENT_SOURCE_DIR}/src/wap32/*/*.c
        ${CMAKE_CURRENT_SOURCE_DIR}/src/graal/level/graal_read.c ${CMAKE_CURRENT_SOURCE_DIR}/src/container/zip*.c
        ${CMAKE_CURRENT_SOURCE_DIR}/src/codec/gif.c ${CMAKE_CURRENT_SOURCE_DIR}/src/codec/png_in.c
        ${CMAKE_CURRENT_SOURCE_DIR}/src/sketchy/chunks/binary.c ${CMAKE_CURRENT_SOURCE_DIR}/src/sketchy/chunks/plain.c)
    set_source_files_properties(${lvl_binary_readers} PROPERTIES COMPILE_OPTIONS -fsanitize-coverage=trace-cmp)
endif()

if(LVL_COVERAGE)
    target_compile_options(lvl_options INTERFACE --coverage)
    target_link_options(lvl_options INTERFACE --coverage)
endif()
