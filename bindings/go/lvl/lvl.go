// Package lvl opens, edits, checks, draws and converts level files of old 2D games: cgo over the flat interface of liblvl
// (lvl/abi.h). Records are the structs of the C headers, in the document's memory.
//
//	doc, err := lvl.Load("cliffs.wwd")
//	wwd := doc.Wwd()
//	for _, plane := range wwd.Planes() { for i := range plane.Objects() { plane.Objects()[i].X() … } }
//
// A Document belongs to one goroutine at a time; different documents may be used at once. Close frees it; records,
// texts and grids of it must not be used afterwards.
package lvl

/*
#cgo LDFLAGS: -llvl
#include <lvl/lvl.h>
#include <stdlib.h>
*/
import "C"

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unsafe"
)

// Status says why a call failed: a number of lvl_status.
type Status int

const (
	Limit       Status = C.LVL_ERR_LIMIT
	Format      Status = C.LVL_ERR_FORMAT
	Foreign     Status = C.LVL_ERR_FOREIGN
	IO          Status = C.LVL_ERR_IO
	Argument    Status = C.LVL_ERR_ARG
	Loss        Status = C.LVL_ERR_LOSS
	Missing     Status = C.LVL_ERR_MISSING
	Unsupported Status = C.LVL_ERR_UNSUPPORTED
)

// A Finding is one message about a document.
type Finding struct {
	ID, Severity, Text, Path string
}

// Error is what every call returns that fails.
type Error struct {
	Status   Status
	Message  string
	Findings []Finding
}

func (e *Error) Error() string { return e.Message }

// Options of a call by name, as lvl/abi.h lists them: {"size": 300, "schematic": true}.
type Options map[string]interface{}

// A Document is a file in memory.
type Document struct {
	handle   *C.lvl_abi_doc
	Findings []Finding // of reading, or of the call that made it
}

type answer struct {
	data          []byte
	count         uint64
	width, height int
	doc           *C.lvl_abi_doc
	findings      []Finding
}

func take(r *C.lvl_abi_result) (answer, error) {
	if r == nil {
		return answer{}, &Error{Status: C.LVL_ERR_MEMORY, Message: "out of memory"}
	}
	defer C.lvl_abi_result_free(r)
	a := answer{count: uint64(r.count), width: int(r.width), height: int(r.height), doc: r.doc}
	if r.findings_len > 0 {
		if err := json.Unmarshal([]byte(C.GoStringN(r.findings, C.int(r.findings_len))), &a.findings); err != nil {
			return a, err
		}
	}
	if r.status != C.LVL_OK {
		return a, &Error{Status(r.status), C.GoString(r.message), a.findings}
	}
	if r.len > 0 {
		a.data = unsafe.Slice((*byte)(unsafe.Pointer(r.data)), int(r.len))
		a.data = append([]byte(nil), a.data...)
	}
	return a, nil
}

// list is a list of texts for C: to be freed.
func list(texts []string) *C.char {
	all := strings.Join(texts, "\x00") + "\x00\x00"
	return (*C.char)(C.CBytes([]byte(all)))
}

func options(o Options) *C.char {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	sort.Strings(names)
	texts := []string{}
	for _, name := range names {
		switch v := o[name].(type) {
		case bool:
			if v {
				texts = append(texts, name+"=1")
			}
		case []string:
			for _, one := range v {
				texts = append(texts, name+"="+one)
			}
		default:
			texts = append(texts, fmt.Sprintf("%s=%v", name, v))
		}
	}
	return list(texts)
}

func wrap(a answer, err error) (*Document, error) {
	if err != nil {
		return nil, err
	}
	return &Document{a.doc, a.findings}, nil
}

// Load opens a file, or a member of an archive ("walk.levelpack//levels/hill.level").
func Load(path string, o ...Options) (*Document, error) {
	p, opts := C.CString(path), options(first(o))
	defer C.free(unsafe.Pointer(p))
	defer C.free(unsafe.Pointer(opts))
	return wrap(take(C.lvl_abi_load(p, opts)))
}

// Read opens bytes; name is the file's, for probing.
func Read(data []byte, name string, o ...Options) (*Document, error) {
	p, opts, bytes := C.CString(name), options(first(o)), C.CBytes(data)
	defer C.free(unsafe.Pointer(p))
	defer C.free(unsafe.Pointer(opts))
	defer C.free(bytes)
	return wrap(take(C.lvl_abi_open(bytes, C.size_t(len(data)), p, opts)))
}

func first(o []Options) Options {
	if len(o) > 0 {
		return o[0]
	}
	return nil
}

// Close frees the document.
func (d *Document) Close() {
	C.lvl_abi_close(d.handle)
	d.handle = nil
}

// FormatID is the id of its format.
func (d *Document) FormatID() string { return C.GoString(C.lvl_abi_format(d.handle)) }

// Bytes is the document as its file.
func (d *Document) Bytes(o ...Options) ([]byte, error) {
	opts := options(first(o))
	defer C.free(unsafe.Pointer(opts))
	a, err := take(C.lvl_abi_write(d.handle, opts))
	return a.data, err
}

// Save writes the file, as a whole or not at all.
func (d *Document) Save(path string, o ...Options) error {
	p, opts := C.CString(path), options(first(o))
	defer C.free(unsafe.Pointer(p))
	defer C.free(unsafe.Pointer(opts))
	_, err := take(C.lvl_abi_save(d.handle, p, opts))
	return err
}

// Set applies assignments "path=value", all or none, and returns how many values were assigned.
func (d *Document) Set(assignments ...string) (uint64, error) {
	texts := list(assignments)
	defer C.free(unsafe.Pointer(texts))
	a, err := take(C.lvl_abi_set(d.handle, texts))
	return a.count, err
}

// Get returns the values that match a path, one a line.
func (d *Document) Get(path string) (string, error) {
	p := C.CString(path)
	defer C.free(unsafe.Pointer(p))
	a, err := take(C.lvl_abi_get(d.handle, p, nil))
	return string(a.data), err
}

// Dump is the document as JSON.
func (d *Document) Dump() (string, error) {
	a, err := take(C.lvl_abi_dump(d.handle, nil))
	return string(a.data), err
}

// Render draws it as a PNG.
func (d *Document) Render(o ...Options) ([]byte, error) {
	opts := options(first(o))
	defer C.free(unsafe.Pointer(opts))
	a, err := take(C.lvl_abi_render(d.handle, opts))
	return a.data, err
}

// Convert makes another form of it; the losses are the findings of the new document.
func (d *Document) Convert(form string, o ...Options) (*Document, error) {
	p, opts := C.CString(form), options(first(o))
	defer C.free(unsafe.Pointer(p))
	defer C.free(unsafe.Pointer(opts))
	return wrap(take(C.lvl_abi_convert(d.handle, p, opts)))
}

// Diff says what changed from d to other; "" if nothing did.
func (d *Document) Diff(other *Document) (string, error) {
	a, err := take(C.lvl_abi_diff(d.handle, other.handle, nil))
	return string(a.data), err
}

// Text is the content of a lvl_text, in the document's code page.
func Text(ptr unsafe.Pointer) string {
	t := (*C.lvl_text)(ptr)
	return C.GoStringN(t.ptr, C.int(t.len))
}

// A Wwd is the level of a document of format "wwd". Its records are those of lvl/wwd.h.
type (
	Wwd    C.lvl_wwd
	Plane  C.lvl_wwd_plane
	Object C.lvl_wwd_object
)

// Wwd is the root record, or nil if the document is of another format.
func (d *Document) Wwd() *Wwd {
	if d.FormatID() != "wwd" {
		return nil
	}
	return (*Wwd)(C.lvl_abi_root(d.handle))
}

// Planes are the planes, in the document's memory.
func (w *Wwd) Planes() []Plane { return unsafe.Slice((*Plane)(w.planes), int(w.plane_count)) }

// Objects are the objects of a plane, in the document's memory.
func (p *Plane) Objects() []Object { return unsafe.Slice((*Object)(p.objects), int(p.object_count)) }

// Main is whether it is the plane with the action.
func (p *Plane) Main() bool { return p.flags&C.LVL_WWD_PLANE_MAIN != 0 }

// Name, TileWidth, TileHeight: of the plane.
func (p *Plane) Name() string    { return C.GoString(&p.name[0]) }
func (p *Plane) TileWidth() int  { return int(p.tile_width) }
func (p *Plane) TileHeight() int { return int(p.tile_height) }

// Logic and ImageSet are what the object does, and its picture.
func (o *Object) Logic() string    { return Text(unsafe.Pointer(&o.logic)) }
func (o *Object) ImageSet() string { return Text(unsafe.Pointer(&o.image_set)) }

// X, Y and Move are its place, in px.
func (o *Object) X() int        { return int(o.x) }
func (o *Object) Y() int        { return int(o.y) }
func (o *Object) Move(x, y int) { o.x, o.y = C.int32_t(x), C.int32_t(y) }
