# The tables of the game book (src/games/book.h), which scripts/games makes from data/games. The source archive has
# them as src/games/tables.c (scripts/dist), and then no Python is needed.
function(lvl_add_games root sources)
    if(EXISTS ${root}/src/games/tables.c)
        return()
    endif()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    file(GLOB books CONFIGURE_DEPENDS ${root}/data/games/*.json)
    set(tables ${CMAKE_CURRENT_BINARY_DIR}/generated/games.c)
    add_custom_command(OUTPUT ${tables} DEPENDS ${books} ${root}/scripts/games VERBATIM
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/generated
        COMMAND ${Python3_EXECUTABLE} ${root}/scripts/games ${LVL_GAMES_OPTIONS} ${tables} ${books}
        COMMENT "Making the tables of the game book")
    set(${sources} ${${sources}} ${tables} PARENT_SCOPE)
endfunction()

# The reference of games, of the same books, for `lvl help GAME`; src/cli/usage/reference_tables.c in the source archive.
function(lvl_add_reference root sources)
    if(EXISTS ${root}/src/cli/usage/reference_tables.c)
        return()
    endif()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    file(GLOB books CONFIGURE_DEPENDS ${root}/data/games/*.json)
    set(tables ${CMAKE_CURRENT_BINARY_DIR}/generated/reference.c)
    add_custom_command(OUTPUT ${tables} DEPENDS ${books} ${root}/scripts/game-reference VERBATIM
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/generated
        COMMAND ${Python3_EXECUTABLE} ${root}/scripts/game-reference --tables ${tables} ${books}
        COMMENT "Making the reference of games")
    set(${sources} ${${sources}} ${tables} PARENT_SCOPE)
endfunction()
