# Each fuzz/fuzz_NAME.c is a libFuzzer target; fuzz/support/*.c (mutators, say) is linked into all of them.
file(GLOB lvl_fuzz_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.c)
file(GLOB lvl_fuzz_support CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/support/*.c)
# What is done with each input, and the families' hooks, are those of the hostile tests.
foreach(shared hostile_trial sketchy_make sketchy_seeds sketchy_turns views wwd_seeds)
    list(APPEND lvl_fuzz_support ${CMAKE_CURRENT_SOURCE_DIR}/tests/support/${shared}.c)
endforeach()
foreach(source ${lvl_fuzz_sources})
    get_filename_component(name ${source} NAME_WE)
    lvl_add_program(${name} ${source} ${lvl_fuzz_support})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/fuzz ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/support
        ${CMAKE_CURRENT_SOURCE_DIR}/tests/support)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
