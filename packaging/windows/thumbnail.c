/*
 * thumbnail.c: pictures of levels in Windows' Explorer. A COM server in a DLL with one class, which has
 * IThumbnailProvider, and IInitializeWithStream: it gets bytes and no path, so Explorer runs it in a process of
 * its own without access to files. Levels whose pictures are in other files are drawn schematically.
 *
 * The library's default limits hold: levels may be hostile. The installer writes the registry.
 */
#define COBJMACROS
#define INITGUID
#include <windows.h>

#include <initguid.h>
#include <propsys.h>
#include <thumbcache.h>

#include <lvl/lvl.h>

#include <stdlib.h>
#include <string.h>

/* {6D0B4E6F-4B5C-4C86-9D6A-5A0B8B9F3E21} */
static const GUID class_id = {0x6D0B4E6F, 0x4B5C, 0x4C86, {0x9D, 0x6A, 0x5A, 0x0B, 0x8B, 0x9F, 0x3E, 0x21}};

/* Objects and locks that keep the DLL loaded. */
static LONG in_use;

typedef struct provider {
    IThumbnailProvider thumbnail;
    IInitializeWithStream init;
    LONG count;
    IStream *stream; /* NULL: not initialized yet */
} provider;

static provider *of_thumbnail(IThumbnailProvider *i)
{
    return (provider *)((char *)i - offsetof(provider, thumbnail));
}
static provider *of_init(IInitializeWithStream *i)
{
    return (provider *)((char *)i - offsetof(provider, init));
}

/* ---- the picture --------------------------------------------------------------------------------------- */

/* Reads the stream to its end; HRESULT. */
static HRESULT read_all(IStream *stream, uint64_t most, lvl_buffer *out)
{
    static const LARGE_INTEGER start;
    uint8_t block[16384];
    ULONG got = 0;
    HRESULT result = IStream_Seek(stream, start, STREAM_SEEK_SET, NULL);

    do {
        result = IStream_Read(stream, block, sizeof block, &got);
        if (FAILED(result))
            return result;
        lvl_buffer_add(out, block, got);
        if (out->status != LVL_OK)
            return E_OUTOFMEMORY;
        if (out->len > most)
            return E_FAIL;
    } while (got);
    return S_OK;
}

/* RGBA to what GDI calls ARGB, with colours multiplied by alpha. */
static HBITMAP bitmap_of(const lvl_image *image)
{
    const BITMAPINFO info = {.bmiHeader = {.biSize = sizeof(BITMAPINFOHEADER),
                                           .biWidth = (LONG)image->width,
                                           .biHeight = -(LONG)image->height, /* the first row is the upper one */
                                           .biPlanes = 1,
                                           .biBitCount = 32,
                                           .biCompression = BI_RGB}};
    void *bits = NULL;
    HBITMAP bitmap = CreateDIBSection(NULL, &info, DIB_RGB_COLORS, &bits, NULL, 0);
    uint8_t *to = bits;

    if (!bitmap)
        return NULL;
    const uint8_t *from = image->pixels;
    for (uint64_t i = 0; i < (uint64_t)image->width * image->height; i++, from += 4, to += 4) {
        const unsigned alpha = from[3];
        to[0] = (uint8_t)(from[2] * alpha / 255);
        to[1] = (uint8_t)(from[1] * alpha / 255);
        to[2] = (uint8_t)(from[0] * alpha / 255);
        to[3] = (uint8_t)alpha;
    }
    return bitmap;
}

static HRESULT result_of(lvl_status status)
{
    return status == LVL_OK ? S_OK : status == LVL_ERR_MEMORY ? E_OUTOFMEMORY : E_FAIL;
}

static HRESULT draw(IStream *stream, UINT side, HBITMAP *out)
{
    lvl_ctx ctx;
    lvl_buffer bytes = {0};
    lvl_image image = {0};
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_doc *doc = NULL;
    HRESULT result;

    lvl_ctx_init(&ctx);
    lvl_render_options_init(&options);
    options.size = side;
    options.transparent = true;
    lvl_art *art = lvl_art_new(&ctx);
    result = art ? read_all(stream, ctx.limits.input_bytes, &bytes) : E_OUTOFMEMORY;
    if (SUCCEEDED(result))
        result = result_of(
            lvl_read(&doc, &ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, NULL, LVL_READ_BORROW, NULL));
    if (SUCCEEDED(result))
        result = result_of(lvl_doc_scene(doc, &(lvl_scene_request){.art = art}, &scene));
    if (SUCCEEDED(result))
        result = result_of(lvl_render_image(scene, &options, &image));
    if (SUCCEEDED(result)) {
        *out = bitmap_of(&image);
        result = *out ? S_OK : E_OUTOFMEMORY;
    }
    lvl_image_clear(&image);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_art_free(art);
    lvl_buffer_free(&bytes);
    return result;
}

/* ---- the class ----------------------------------------------------------------------------------------- */

static HRESULT query(provider *p, REFIID id, void **out)
{
    if (!out)
        return E_POINTER;
    if (IsEqualIID(id, &IID_IUnknown) || IsEqualIID(id, &IID_IThumbnailProvider)) {
        *out = &p->thumbnail;
    } else if (IsEqualIID(id, &IID_IInitializeWithStream)) {
        *out = &p->init;
    } else {
        *out = NULL;
        return E_NOINTERFACE;
    }
    InterlockedIncrement(&p->count);
    return S_OK;
}

static ULONG release(provider *p)
{
    const LONG left = InterlockedDecrement(&p->count);

    if (!left) {
        if (p->stream)
            IStream_Release(p->stream);
        free(p);
        InterlockedDecrement(&in_use);
    }
    return (ULONG)left;
}

static HRESULT STDMETHODCALLTYPE thumbnail_query(IThumbnailProvider *i, REFIID id, void **out)
{
    return query(of_thumbnail(i), id, out);
}
static ULONG STDMETHODCALLTYPE thumbnail_add(IThumbnailProvider *i)
{
    return (ULONG)InterlockedIncrement(&of_thumbnail(i)->count);
}
static ULONG STDMETHODCALLTYPE thumbnail_release(IThumbnailProvider *i)
{
    return release(of_thumbnail(i));
}
static HRESULT STDMETHODCALLTYPE thumbnail_get(IThumbnailProvider *i, UINT side, HBITMAP *bitmap,
                                               WTS_ALPHATYPE *alpha)
{
    const provider *p = of_thumbnail(i);

    if (!bitmap || !alpha)
        return E_POINTER;
    *bitmap = NULL;
    *alpha = WTSAT_ARGB;
    if (!side)
        return E_INVALIDARG;
    return p->stream ? draw(p->stream, side, bitmap) : E_UNEXPECTED;
}

static HRESULT STDMETHODCALLTYPE init_query(IInitializeWithStream *i, REFIID id, void **out)
{
    return query(of_init(i), id, out);
}
static ULONG STDMETHODCALLTYPE init_add(IInitializeWithStream *i)
{
    return (ULONG)InterlockedIncrement(&of_init(i)->count);
}
static ULONG STDMETHODCALLTYPE init_release(IInitializeWithStream *i)
{
    return release(of_init(i));
}
static HRESULT STDMETHODCALLTYPE init_initialize(IInitializeWithStream *i, IStream *stream, DWORD mode)
{
    provider *p = of_init(i);

    (void)mode;
    if (!stream)
        return E_POINTER;
    if (p->stream) /* once only, as the interface is defined */
        return HRESULT_FROM_WIN32(ERROR_ALREADY_INITIALIZED);
    IStream_AddRef(stream);
    p->stream = stream;
    return S_OK;
}

static HRESULT provider_new(REFIID id, void **out)
{
    static IThumbnailProviderVtbl thumbnail_calls = {thumbnail_query, thumbnail_add, thumbnail_release,
                                                     thumbnail_get};
    static IInitializeWithStreamVtbl init_calls = {init_query, init_add, init_release, init_initialize};
    provider *p = calloc(1, sizeof *p);

    if (!p)
        return E_OUTOFMEMORY;
    p->thumbnail.lpVtbl = &thumbnail_calls;
    p->init.lpVtbl = &init_calls;
    p->count = 1;
    InterlockedIncrement(&in_use);
    const HRESULT result = query(p, id, out);
    release(p);
    return result;
}

/* ---- the factory, and what COM calls ------------------------------------------------------------------- */

static HRESULT STDMETHODCALLTYPE factory_query(IClassFactory *i, REFIID id, void **out)
{
    if (!out)
        return E_POINTER;
    *out = IsEqualIID(id, &IID_IUnknown) || IsEqualIID(id, &IID_IClassFactory) ? i : NULL;
    if (!*out)
        return E_NOINTERFACE;
    IClassFactory_AddRef(i);
    return S_OK;
}
static ULONG STDMETHODCALLTYPE factory_add(IClassFactory *i)
{
    (void)i;
    InterlockedIncrement(&in_use);
    return 2; /* it is a constant */
}
static ULONG STDMETHODCALLTYPE factory_release(IClassFactory *i)
{
    (void)i;
    InterlockedDecrement(&in_use);
    return 1;
}
static HRESULT STDMETHODCALLTYPE factory_create(IClassFactory *i, IUnknown *outer, REFIID id, void **out)
{
    (void)i;
    if (!out)
        return E_POINTER;
    *out = NULL;
    return outer ? CLASS_E_NOAGGREGATION : provider_new(id, out);
}
static HRESULT STDMETHODCALLTYPE factory_lock(IClassFactory *i, BOOL lock)
{
    if (lock)
        factory_add(i);
    else
        factory_release(i);
    return S_OK;
}

HRESULT WINAPI DllGetClassObject(REFCLSID wanted, REFIID id, void **out)
{
    static IClassFactoryVtbl calls = {factory_query, factory_add, factory_release, factory_create, factory_lock};
    static IClassFactory factory = {&calls};

    if (!out)
        return E_POINTER;
    *out = NULL;
    return IsEqualGUID(wanted, &class_id) ? factory_query(&factory, id, out) : CLASS_E_CLASSNOTAVAILABLE;
}

HRESULT WINAPI DllCanUnloadNow(void)
{
    return InterlockedCompareExchange(&in_use, 0, 0) ? S_FALSE : S_OK;
}
