//! Links liblvl: of the system, or of the folder LVL_LIB_DIR.
fn main() {
    println!("cargo:rerun-if-env-changed=LVL_LIB_DIR");
    if let Ok(folder) = std::env::var("LVL_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=lvl");
}
