//! Moves the soldiers of a level: soldiers LEVEL.wwd NEW.wwd
use lvl::{bytes, items_mut, Document};
use lvl_sys::Wwd;

fn main() -> lvl::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let mut doc = Document::load(&arguments[1], &[])?;
    let mut moved = 0;
    // SAFETY: only numbers are assigned.
    unsafe {
        let level: &mut Wwd = doc.root_mut().expect("a WWD");
        for plane in items_mut(&mut level.planes, level.planes_count) {
            if i64::from(plane.flags) & lvl_sys::wwd_plane_flags::MAIN != 0 {
                println!("main plane: {}", String::from_utf8_lossy(&plane.name).trim_end_matches('\0'));
            }
            for object in items_mut(&mut plane.objects, plane.objects_count) {
                if bytes(&object.logic) == b"Soldier" {
                    object.x += plane.tile_width;
                    moved += 1;
                }
            }
        }
    }
    doc.save(&arguments[2])?;
    println!("{moved} soldiers moved");
    let refused = doc.set(&["nothing=1"]).unwrap_err();
    println!("{} {}", refused.status, &refused.message[..26]);
    println!("{}", doc.render(&["size=64", "schematic=1"])?.len() > 100);
    Ok(())
}
