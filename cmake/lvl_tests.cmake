# Each tests/test_NAME.c is a cmocka program and a CTest test; tests/test_NAME.sh is a test of the built command.
# The environment says at run time where real files are (LVL_CORPUS, else ../shared/corpus), and which cases of a
# program run (LVL_TEST_CASE, with * and ?).
# tests/support/*.c is shared by all of them. Tests whose name ends in _slow get the label "slow".
enable_testing()

file(GLOB lvl_support_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/support/*.c)
list(FILTER lvl_support_sources EXCLUDE REGEX "/(starve_libraries|test_case)\\.c$") # see below
file(GLOB lvl_test_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/test_*.c)
if(NOT WIN32) # only it has what this tests
    list(FILTER lvl_test_sources EXCLUDE REGEX "/test_windows\\.c$")
endif()
# What cannot be on Windows, each with its reason.
set(lvl_not_on_windows
    file # stands in for calls of POSIX (fchmod, link, fsync) that Windows has no counterpart of; test_windows is its counterpart
    hostile_file # makes each call of POSIX below os/file fail, by symbols that a linker for ELF lets a program define
    memory # measures memory by /proc and child processes by fork
)
# Labelled "slow" on Windows: they call nothing of the system, compute the same as elsewhere, and take minutes under Wine, whose
# memory functions are slow.
set(lvl_slow_on_windows apng canvas hostile_gani hostile_bombs gani_scene graal_growth growth)
# And this one reads each file below /usr, which are none of Windows.
list(APPEND lvl_slow_on_windows probe)
# Of the shell tests, these pass under Wine; what the program cannot see there (links of Unix, some names) they leave out, by $windows of
# tests/support/shell.sh. The others are labelled "slow"; `scripts/check-dist windows' tests the command on Windows: names, shares, the console,
# open files, git, the browser, Tiled.
set(lvl_scripts_on_windows cli_archive cli_art cli_bulk cli_catalog cli_check cli_desktop cli_edit cli_graph
    cli_merge_folders cli_messages cli_pack cli_pages cli_picture cli_work)
# Of the others, each tried under Wine unless it is said,
#   pass, and are about what is in a file, not about the system: cli_damaged, cli_hidden, cli_sketchy
#   pass, but take minutes: cli_limits (270 commands), cli_tiled_edits (492). Of each, one command had no output once, beside other work, which was not
#   seen again: 325 runs of such a command beside other work had theirs, and of 60 that Wine's server had to start for, one never started
#   are about links of Unix, which a program for Windows does not see: cli_links (16 of 34 commands)
#   follow links, and look for escapes on a terminal, where Wine adds its own: cli (15 of 309 commands)
#   give files names that Windows does not have (with < or "), and LVL_ART a list with colons: cli_gallery, cli_view
#   hold a lock by flock, and expect two files whose names differ only in case, which Wine takes for one: cli_worlds
#   follow a link, and name processes of Linux: cli_saves (2 of 87 commands)
#   waits for signals to be caught, which a program for Windows does not do: cli_stop
#   let lvl call git, which there is for Linux only: cli_git, cli_merge, cli_review
#   runs hundreds of commands, which are not done after ten minutes, with nothing wrong until then: cli_examples
#   installs Tiled's extension in Wine's folder, where Tiled for Linux does not look: cli_tiled (19 of 414 commands)
#   are not about the command: bindings, python, samples_made, web, viewer, viewer_tasks, site, tiles_page, kaitai, duckdb
if(WIN32)
    foreach(test ${lvl_not_on_windows})
        list(FILTER lvl_test_sources EXCLUDE REGEX "/test_${test}\\.c$")
    endforeach()
endif()
file(GLOB lvl_test_scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/test_*.sh)
file(GLOB lvl_bench_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/bench_*.c)
# What they share.
file(GLOB lvl_bench_support CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/*.c)
list(FILTER lvl_bench_support EXCLUDE REGEX "/bench_[^/]*$")

find_path(LVL_CMOCKA_INCLUDE_DIR cmocka.h)
find_library(LVL_CMOCKA_LIBRARY cmocka)
mark_as_advanced(LVL_CMOCKA_INCLUDE_DIR LVL_CMOCKA_LIBRARY)

# Tests from a shell call the command by one name: where another processor or system is only played, that of a script.
set(lvl_called)
if(TARGET lvl_command)
    set(lvl_called $<TARGET_FILE:lvl_command>)
    if(CMAKE_CROSSCOMPILING_EMULATOR)
        set(lvl_called ${CMAKE_CURRENT_BINARY_DIR}/lvl-played)
        set(lvl_call "${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:lvl_command>")
        if(WIN32) # Wine gives names to programs in the locale's encoding; the tests set LC_ALL=C
            set(lvl_call "env LC_ALL=C.UTF-8 ${lvl_call}")
        endif()
        file(GENERATE OUTPUT ${lvl_called} CONTENT "#!/bin/sh\nexec ${lvl_call} \"$@\"\n"
            FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endif()
endif()

function(lvl_test_properties name)
    set(environment "LVL_SAMPLES=${CMAKE_CURRENT_SOURCE_DIR}/samples")
    if(TARGET lvl_command)
        list(APPEND environment "LVL=${lvl_called}")
        if(WIN32)
            list(APPEND environment "LVL_WINDOWS=1")
        endif()
    endif()
    if(name MATCHES "^(python|bindings|duckdb)$" AND NOT LVL_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
        list(APPEND environment "LVL_LIBRARY=$<TARGET_FILE:lvl_shared>")
    endif()
    set(timeout 900) # far above what any takes, even under sanitizers on a busy machine
    if(CMAKE_CROSSCOMPILING_EMULATOR)
        set(timeout 1800) # a processor that is only played is a slow one
    endif()
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77 TIMEOUT ${timeout} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(WIN32 AND name IN_LIST lvl_slow_on_windows)
        set_tests_properties(${name} PROPERTIES LABELS slow)
    endif()
    if(name MATCHES "_slow$")
        set_tests_properties(${name} PROPERTIES LABELS slow TIMEOUT 1800)
    elseif(name MATCHES "^growth$") # minutes; in check-long, without sanitizers
        set_tests_properties(${name} PROPERTIES LABELS long)
    elseif(name MATCHES "^(web|viewer|viewer_tasks|site|tiles_page|kaitai|duckdb)$") # they need `make web` or packages of npm: scripts/check runs them in a step of their own
        set_tests_properties(${name} PROPERTIES LABELS web TIMEOUT 1800) # a browser beside other work
        if(name MATCHES "^viewer") # minutes: both first, each on a core
            set_tests_properties(${name} PROPERTIES COST 100)
        endif()
    endif()
endfunction()

if(lvl_support_sources)
    add_library(lvl_support STATIC ${lvl_support_sources})
    target_include_directories(lvl_support PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/tests/support ${CMAKE_CURRENT_SOURCE_DIR}/src
        ${CMAKE_CURRENT_SOURCE_DIR}/include)
    target_include_directories(lvl_support SYSTEM PUBLIC $<$<BOOL:${LVL_CMOCKA_INCLUDE_DIR}>:${LVL_CMOCKA_INCLUDE_DIR}>)
    target_link_libraries(lvl_support PRIVATE lvl_options) # each program brings the library
endif()

# Cases by name (LVL_TEST_CASE): an object, since nothing calls it.
add_library(lvl_test_case OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/tests/support/test_case.c)
target_include_directories(lvl_test_case SYSTEM PRIVATE $<$<BOOL:${LVL_CMOCKA_INCLUDE_DIR}>:${LVL_CMOCKA_INCLUDE_DIR}>)
target_link_libraries(lvl_test_case PRIVATE lvl_options)

function(lvl_add_test_program name)
    # With LVL_TESTS_SHARED an edit links only those again that replace functions below the library, or contain the command.
    set(library lvl_static)
    if(LVL_TESTS_SHARED AND NOT name MATCHES "^test_(hostile.*|arguments|file|jpeg|program|sketchy_names)$")
        set(library lvl_shared)
    endif()
    lvl_add_program(${name} LIBRARY ${library} ${ARGN})
    if(TARGET lvl_support)
        target_link_libraries(${name} PRIVATE lvl_support ${library})
    endif()
    if(library STREQUAL "lvl_shared")
        target_link_libraries(${name} PRIVATE lvl::deps)
        set_target_properties(${name} PROPERTIES LINK_DEPENDS_NO_SHARED ON)
    endif()
    # Programs that let memory run out see every allocation of ours (tests/support/starve.c).
    if(name MATCHES "^test_hostile" AND NOT APPLE AND NOT WIN32)
        set(wraps malloc calloc realloc free inflateInit_ deflateInit2_ libdeflate_alloc_decompressor libdeflate_alloc_compressor yyjson_read_opts)
        list(TRANSFORM wraps PREPEND "-Wl,--wrap=")
        target_link_options(${name} PRIVATE ${wraps})
        target_sources(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/tests/support/starve_libraries.c)
        foreach(symbol malloc calloc realloc free)
            target_link_options(${name} PRIVATE "-Wl,--export-dynamic-symbol=${symbol}")
        endforeach()
    endif()
    # JPEG takes its memory in a library that --wrap doesn't reach into; the test stands in for the door.
    if(name STREQUAL "test_jpeg" AND NOT APPLE AND NOT WIN32)
        target_compile_definitions(${name} PRIVATE LVL_TEST_STARVES)
        target_link_options(${name} PRIVATE "-Wl,--wrap=jpeg_CreateDecompress")
    endif()
    # cmocka's own macros don't pass our warnings.
    target_compile_options(${name} PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-Wno-pedantic>)
endfunction()

if(lvl_test_sources)
    if(NOT LVL_CMOCKA_INCLUDE_DIR OR NOT LVL_CMOCKA_LIBRARY)
        message(FATAL_ERROR "cmocka is missing (on Debian: scripts/setup); or build without tests: -DLVL_BUILD_TESTS=OFF")
    endif()
    foreach(source ${lvl_test_sources})
        get_filename_component(name ${source} NAME_WE)
        lvl_add_test_program(${name} ${source})
        if(name MATCHES "^test_(arguments|hostile_cli|program|sketchy_names)$" AND TARGET lvl_cli)
            target_link_libraries(${name} PRIVATE lvl_cli)
        endif()
        target_include_directories(${name} SYSTEM PRIVATE ${LVL_CMOCKA_INCLUDE_DIR})
        target_link_libraries(${name} PRIVATE lvl_test_case ${LVL_CMOCKA_LIBRARY})
        string(REGEX REPLACE "^test_" "" test ${name})
        add_test(NAME ${test} COMMAND ${name})
        lvl_test_properties(${test})
    endforeach()
    # In make check-long: 50 triples of each kind of change and format.
    add_test(NAME merge_kinds_long COMMAND test_merge_kinds)
    lvl_test_properties(merge_kinds_long)
    set_tests_properties(merge_kinds_long PROPERTIES LABELS long TIMEOUT 1800)
    set_property(TEST merge_kinds_long APPEND PROPERTY ENVIRONMENT LVL_MERGE_KINDS=50 LVL_MERGE_SWEEP=61)
    # All places of all lists of texts, the seeds of the fuzzers included.
    add_test(NAME line_edits_long COMMAND test_line_edits)
    lvl_test_properties(line_edits_long)
    set_tests_properties(line_edits_long PROPERTIES LABELS long TIMEOUT 1800)
    set_property(TEST line_edits_long APPEND PROPERTY ENVIRONMENT LVL_LINE_EDITS=1000)
    # And 200 random triples of each format; in `make sweep` a thousand.
    foreach(part "long;200" "slow;1000")
        list(GET part 0 label)
        list(GET part 1 triples)
        add_test(NAME merge_oracle_${label} COMMAND test_merge_oracle)
        lvl_test_properties(merge_oracle_${label})
        set_tests_properties(merge_oracle_${label} PROPERTIES LABELS ${label} TIMEOUT 1800)
        set_property(TEST merge_oracle_${label} APPEND PROPERTY ENVIRONMENT LVL_MERGE_TRIPLES=${triples})
    endforeach()
endif()

if(TARGET lvl_command)
    foreach(script ${lvl_test_scripts})
        get_filename_component(name ${script} NAME_WE)
        string(REGEX REPLACE "^test_" "" test ${name})
        add_test(NAME ${test} COMMAND sh ${script})
        lvl_test_properties(${test})
        if(WIN32 AND NOT test IN_LIST lvl_scripts_on_windows)
            set_tests_properties(${test} PROPERTIES LABELS slow)
        endif()
    endforeach()
    # Sheets of the pictures in all folders of the corpus.
    add_test(NAME cli_sheet_long COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/tests/test_cli_sheet.sh)
    lvl_test_properties(cli_sheet_long)
    set_tests_properties(cli_sheet_long PROPERTIES LABELS long)
    set_property(TEST cli_sheet_long APPEND PROPERTY ENVIRONMENT LVL_SHEET_STEP=1)
endif()

# Programs that the documentation shows: built as they stand there, and run on a sample.
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/README.md lvl_readme)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/README.md)
string(FIND "${lvl_readme}" "```c\n" lvl_readme_from)
string(SUBSTRING "${lvl_readme}" ${lvl_readme_from} -1 lvl_readme)
string(SUBSTRING "${lvl_readme}" 5 -1 lvl_readme)
string(FIND "${lvl_readme}" "```" lvl_readme_to)
string(SUBSTRING "${lvl_readme}" 0 ${lvl_readme_to} lvl_readme)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/treasure.c CONTENT "@lvl_readme@" @ONLY)
function(lvl_add_example name source expected)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE lvl_static)
    add_test(NAME example_${name} COMMAND example_${name} ${ARGN})
    lvl_test_properties(example_${name})
    set_tests_properties(example_${name} PROPERTIES PASS_REGULAR_EXPRESSION ${expected})
endfunction()
lvl_add_example(treasure ${CMAKE_CURRENT_BINARY_DIR}/treasure.c "COIN[A-Z_]* at [0-9]+, [0-9]+" ${CMAKE_CURRENT_BINARY_DIR}/moved.wwd)
lvl_add_example(recolor docs/examples/recolor.c "water of a level in v2: no error" samples/sketchy/hill-v2.level water "#00aa88"
    ${CMAKE_CURRENT_BINARY_DIR}/recolored.level)
lvl_add_example(viewer docs/examples/viewer.c "lake_meadow.nw: 1024 x 1024 px, drawn with its pictures"
    samples/graal/lakeside/lake_meadow.nw samples/graal/pics1.png)
lvl_add_example(tour docs/examples/tour.c "the tour is complete" samples ${CMAKE_CURRENT_BINARY_DIR}/tour.level)
lvl_add_example(pixels docs/examples/pixels.c "px of ice, solid, slippery" samples/sketchy/hill-v4.level)

# Benches are built with the tests, so that they keep compiling, and run by `make bench`. They may bring their own
# rivals (libpng) when those are there.
find_library(LVL_PNG_LIBRARY png)
find_path(LVL_PNG_INCLUDE_DIR png.h)
mark_as_advanced(LVL_PNG_LIBRARY LVL_PNG_INCLUDE_DIR)
foreach(source ${lvl_bench_sources})
    get_filename_component(name ${source} NAME_WE)
    lvl_add_test_program(${name} ${source} ${lvl_bench_support})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bench)
    if(LVL_PNG_LIBRARY AND LVL_PNG_INCLUDE_DIR)
        target_compile_definitions(${name} PRIVATE LVL_BENCH_LIBPNG)
        target_link_libraries(${name} PRIVATE ${LVL_PNG_LIBRARY})
    endif()
endforeach()
