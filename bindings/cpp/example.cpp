// Moves the soldiers of a level: example LEVEL.wwd NEW.wwd
#include <lvl/lvl.hpp>

#include <iostream>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    auto level = lvl::document::load(argv[1]);
    if (!level) {
        std::cerr << level.message() << "\n";
        return 1;
    }
    lvl_wwd *wwd = level->root<lvl_wwd>();
    int moved = 0;
    if (!wwd)
        return 1;
    for (lvl_wwd_plane &plane : lvl::planes(*wwd)) {
        if (plane.flags & LVL_WWD_PLANE_MAIN)
            std::cout << "main plane: " << lvl::text(plane.name) << "\n";
        for (lvl_wwd_object &object : lvl::objects(plane)) {
            if (lvl::text(object.logic) == "Soldier") {
                object.x += plane.tile_width;
                moved++;
            }
        }
    }
    const lvl::outcome saved = level->save(argv[2]);
    if (!saved) {
        std::cerr << saved.message() << "\n";
        return 1;
    }
    std::cout << moved << " soldiers moved\n";
    std::cout << level->set({"nothing=1"}).message().substr(0, 26) << "\n";
    return 0;
}
