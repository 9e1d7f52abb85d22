//! Level files of old 2D games, over liblvl.
//!
//! ```no_run
//! let mut doc = lvl::Document::load("cliffs.wwd", &[])?;
//! doc.set(&["planes[0].objects[3].x+=64"])?;
//! doc.save("new.wwd")?;
//! # Ok::<(), lvl::Error>(())
//! ```
//!
//! With 64 bits, `doc.root::<lvl_sys::Wwd>()` is the root record itself, and `items` its lists, borrowed from the document.
use lvl_sys as sys;
use std::ffi::{CStr, CString};
use std::ptr;

/// Why a call failed.
#[derive(Debug, Clone)]
pub struct Error {
    /// A number of `lvl_status`: 2 limit, 3 format, 4 foreign, 5 I/O, 6 argument, 7 loss, 8 missing, 9 unsupported.
    pub status: i32,
    pub message: String,
    /// The findings as a JSON array.
    pub findings: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

/// What a call returned, copied.
struct Answer {
    data: Vec<u8>,
    findings: String,
    count: u64,
    doc: *mut sys::lvl_abi_doc,
}

fn error(status: i32, message: &str) -> Error {
    Error { status, message: message.into(), findings: "[]".into() }
}

fn take(result: *mut sys::lvl_abi_result) -> Result<Answer> {
    // SAFETY: the library returns NULL or a result that is valid until it is freed.
    unsafe {
        let r = match result.as_ref() {
            Some(r) => r,
            None => return Err(error(1, "out of memory")),
        };
        let bytes = |at: *const u8, len: usize| if len == 0 { Vec::new() } else { std::slice::from_raw_parts(at, len).to_vec() };
        let findings = String::from_utf8_lossy(&bytes(r.findings.cast(), r.findings_len)).into_owned();
        let out = if r.status == 0 {
            Ok(Answer { data: bytes(r.data, r.len), findings, count: r.count, doc: r.doc })
        } else {
            let message = CStr::from_ptr(r.message).to_string_lossy().into_owned();
            Err(Error { status: r.status, message, findings })
        };
        sys::lvl_abi_result_free(result);
        out
    }
}

/// A list of texts, as the library reads it.
fn texts(list: &[&str]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for one in list {
        if one.is_empty() || one.contains('\0') {
            return Err(error(6, "expected texts that are not empty and have no NUL"));
        }
        out.extend_from_slice(one.as_bytes());
        out.push(0);
    }
    out.push(0);
    Ok(out)
}

fn text(one: &str) -> Result<CString> {
    CString::new(one).map_err(|_| error(6, "a text with a NUL"))
}

/// A record that is the root of documents of some formats.
///
/// # Safety
/// The type must be the struct of the formats' root.
pub unsafe trait Root {
    const FORMATS: &'static [&'static str];
}
#[cfg(target_pointer_width = "64")]
mod roots {
    // SAFETY: generated from the same tables.
    unsafe impl super::Root for lvl_sys::Wwd {
        const FORMATS: &'static [&'static str] = &["wwd"];
    }
    // SAFETY: as above.
    unsafe impl super::Root for lvl_sys::Graal {
        const FORMATS: &'static [&'static str] = &["graal", "nw"];
    }
    // SAFETY: as above.
    unsafe impl super::Root for lvl_sys::Drawing {
        const FORMATS: &'static [&'static str] = &["sketchy"];
    }
}

/// A document. It may move between threads, and belongs to one at a time.
pub struct Document {
    handle: *mut sys::lvl_abi_doc,
    /// The findings of reading, or of the call that made it, as a JSON array.
    pub findings: String,
}

// SAFETY: the library has no state of threads; calls need `&self` of a type that is not Sync, or `&mut self`.
unsafe impl Send for Document {}

impl Drop for Document {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and nothing borrows from the document any more.
        unsafe { sys::lvl_abi_close(self.handle) }
    }
}

macro_rules! call {
    ($name:ident, $($argument:expr),*) => {
        // SAFETY: handles are valid as long as their documents; texts end with a NUL.
        take(unsafe { sys::$name($($argument),*) })
    };
}

impl Document {
    fn wrap(a: Answer) -> Document {
        Document { handle: a.doc, findings: a.findings }
    }
    /// Opens a file, or a member of an archive ("walk.levelpack//levels/hill.level"). Options: "profile=strict", …
    pub fn load(path: &str, options: &[&str]) -> Result<Document> {
        check_sizes()?;
        let (path, options) = (text(path)?, texts(options)?);
        Ok(Self::wrap(call!(lvl_abi_load, path.as_ptr(), options.as_ptr().cast())?))
    }
    /// Opens bytes; `name` is the file's, for probing.
    pub fn read(bytes: &[u8], name: &str, options: &[&str]) -> Result<Document> {
        check_sizes()?;
        let (name, options) = (text(name)?, texts(options)?);
        Ok(Self::wrap(call!(lvl_abi_open, bytes.as_ptr().cast(), bytes.len(), name.as_ptr(), options.as_ptr().cast())?))
    }
    /// The id of its format.
    pub fn format(&self) -> &'static str {
        // SAFETY: static storage, ASCII.
        unsafe { CStr::from_ptr(sys::lvl_abi_format(self.handle)) }.to_str().unwrap_or("")
    }
    pub fn bytes(&self) -> Result<Vec<u8>> {
        Ok(call!(lvl_abi_write, self.handle, ptr::null())?.data)
    }
    /// Writes the file, as a whole or not at all.
    pub fn save(&self, path: &str) -> Result<()> {
        let path = text(path)?;
        call!(lvl_abi_save, self.handle, path.as_ptr(), ptr::null()).map(|_| ())
    }
    /// The values that match a path, one a line.
    pub fn get(&self, path: &str) -> Result<String> {
        let path = text(path)?;
        let a = call!(lvl_abi_get, self.handle, path.as_ptr(), ptr::null())?;
        Ok(String::from_utf8_lossy(&a.data).into_owned())
    }
    /// Applies assignments "path=value", all or none; how many values were assigned.
    pub fn set(&mut self, assignments: &[&str]) -> Result<u64> {
        let list = texts(assignments)?;
        Ok(call!(lvl_abi_set, self.handle, list.as_ptr().cast())?.count)
    }
    pub fn dump(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&call!(lvl_abi_dump, self.handle, ptr::null())?.data).into_owned())
    }
    /// One line of JSON: verdict and findings.
    pub fn check(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&call!(lvl_abi_check, self.handle, ptr::null())?.data).into_owned())
    }
    /// A PNG. Options: "size=300", "schematic=1", "art=FOLDER", …
    pub fn render(&self, options: &[&str]) -> Result<Vec<u8>> {
        let options = texts(options)?;
        Ok(call!(lvl_abi_render, self.handle, options.as_ptr().cast())?.data)
    }
    /// Another form; the findings of the new document are the losses. Options: "allow_loss=1", …
    pub fn convert(&self, form: &str, options: &[&str]) -> Result<Document> {
        let (form, options) = (text(form)?, texts(options)?);
        Ok(Self::wrap(call!(lvl_abi_convert, self.handle, form.as_ptr(), options.as_ptr().cast())?))
    }
    /// The root record, if the document has that one.
    pub fn root<T: Root>(&self) -> Option<&T> {
        // SAFETY: the format has this root, and the sizes of structs were compared when the document was opened.
        T::FORMATS.contains(&self.format()).then(|| unsafe { &*sys::lvl_abi_root(self.handle).cast::<T>() })
    }
    /// The same, to be changed. Counts and pointers must stay as they are.
    ///
    /// # Safety
    /// Pointers and counts in records must not be assigned.
    pub unsafe fn root_mut<T: Root>(&mut self) -> Option<&mut T> {
        T::FORMATS.contains(&self.format()).then(|| &mut *sys::lvl_abi_root(self.handle).cast::<T>())
    }
}

/// The items of a list of a record: `items(&wwd.planes, wwd.planes_count)`. They are borrowed as long as the record.
///
/// # Safety
/// Pointer and count must be those of one list of a record of a document.
pub unsafe fn items<T>(list: &*mut T, count: u32) -> &[T] {
    if count == 0 { &[] } else { std::slice::from_raw_parts(*list, count as usize) }
}

/// The same, to be changed.
///
/// # Safety
/// As for `items`.
pub unsafe fn items_mut<T>(list: &mut *mut T, count: u32) -> &mut [T] {
    if count == 0 { &mut [] } else { std::slice::from_raw_parts_mut(*list, count as usize) }
}

/// The bytes of a text, in the document's code page.
///
/// # Safety
/// The text must be of a document that lives.
pub unsafe fn bytes(value: &sys::lvl_text) -> &[u8] {
    if value.len == 0 { &[] } else { std::slice::from_raw_parts(value.ptr.cast(), value.len) }
}

/// Whether the structs of this crate are those of the library that is running.
fn check_sizes() -> Result<()> {
    #[cfg(target_pointer_width = "64")]
    {
        use std::sync::atomic::{AtomicBool, Ordering};
        static CHECKED: AtomicBool = AtomicBool::new(false);
        let same = |(format, table, size): &(&str, &str, usize)| -> Result<bool> {
            let name = text(format)?;
            let layout = call!(lvl_abi_layout, name.as_ptr())?;
            Ok(String::from_utf8_lossy(&layout.data).contains(&format!("\"{}\":{{\"size\":{},", table, size)))
        };
        if !CHECKED.load(Ordering::Relaxed) {
            for one in sys::SIZES.iter() {
                if !same(one)? {
                    return Err(error(9, "the library has other structs than this crate: generate it again"));
                }
            }
            CHECKED.store(true, Ordering::Relaxed);
        }
    }
    Ok(())
}
