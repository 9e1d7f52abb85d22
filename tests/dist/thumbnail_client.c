/*
 * thumbnail_client.c: asks for thumbnails as Windows' Explorer does; scripts/check-dist runs it under Wine.
 *
 *     thumbnail_client FILE.dll SIZE OUT FILE...   the class of this DLL, without the registry
 *     thumbnail_client - SIZE OUT FILE...          the class that the registry names for the file's ending
 *
 * Writes OUT\NAME.bmp for each picture, prints a line for each file, and checks what Explorer relies on.
 * Exit: 0 unless something of that is wrong; a file without a picture is no error.
 */
#define COBJMACROS
#define INITGUID
#include <windows.h>

#include <initguid.h>
#include <propsys.h>
#include <shlwapi.h>
#include <thumbcache.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void expect(int good, const char *what, const char *file)
{
    if (!good) {
        printf("WRONG: %s (%s)\n", what, file);
        wrong++;
    }
}

/* The class for thumbnails of files with this ending, from HKEY_CLASSES_ROOT, as Explorer finds it. */
static int class_of(const char *file, CLSID *out)
{
    char key[300], text[64];
    WCHAR wide[64];
    LONG size = sizeof text;
    const char *dot = strrchr(file, '.');

    snprintf(key, sizeof key, "%s\\ShellEx\\{E357FCCD-A995-4576-B01F-234630154E96}", dot ? dot : "");
    if (RegQueryValueA(HKEY_CLASSES_ROOT, key, text, &size) != ERROR_SUCCESS)
        return 0;
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, 64);
    return CLSIDFromString(wide, out) == S_OK;
}

static IInitializeWithStream *provider_of(HMODULE dll, const char *file)
{
    static const GUID class_id = {
        0x6D0B4E6F, 0x4B5C, 0x4C86, {0x9D, 0x6A, 0x5A, 0x0B, 0x8B, 0x9F, 0x3E, 0x21}};
    IInitializeWithStream *init = NULL;
    IClassFactory *factory = NULL;
    CLSID id;

    if (!dll) {
        if (class_of(file, &id))
            CoCreateInstance(&id, NULL, CLSCTX_INPROC_SERVER, &IID_IInitializeWithStream, (void **)&init);
        return init;
    }
    HRESULT(WINAPI * get)
    (REFCLSID, REFIID, void **) =
        (HRESULT(WINAPI *)(REFCLSID, REFIID, void **))(void *)GetProcAddress(dll, "DllGetClassObject");
    if (!get || get(&class_id, &IID_IClassFactory, (void **)&factory) != S_OK)
        return NULL;
    IClassFactory_CreateInstance(factory, NULL, &IID_IInitializeWithStream, (void **)&init);
    IClassFactory_Release(factory);
    return init;
}

/* Returns the number of different colours, at most 1000. */
static unsigned colors_of(const unsigned *pixels, size_t count)
{
    unsigned seen[1000], n = 0;

    for (size_t i = 0; i < count && n < 1000; i++) {
        unsigned k = 0;
        while (k < n && seen[k] != pixels[i])
            k++;
        if (k == n)
            seen[n++] = pixels[i];
    }
    return n;
}

static void write_bmp(const char *folder, const char *file, const BITMAPINFOHEADER *info, const void *pixels)
{
    const char *name = strrchr(file, '\\')  ? strrchr(file, '\\') + 1
                       : strrchr(file, '/') ? strrchr(file, '/') + 1
                                            : file;
    const DWORD bytes = (DWORD)(info->biWidth * abs((int)info->biHeight) * 4);
    BITMAPFILEHEADER head = {0x4D42, sizeof head + sizeof *info + bytes, 0, 0, sizeof head + sizeof *info};
    char path[600];

    snprintf(path, sizeof path, "%s\\%s.bmp", folder, name);
    FILE *out = fopen(path, "wb");
    if (!out)
        return;
    fwrite(&head, sizeof head, 1, out);
    fwrite(info, sizeof *info, 1, out);
    fwrite(pixels, bytes, 1, out);
    fclose(out);
}

static void try_file(HMODULE dll, UINT size, const char *folder, const char *file)
{
    IInitializeWithStream *init = provider_of(dll, file);
    IThumbnailProvider *provider = NULL;
    IStream *stream = NULL;
    HBITMAP bitmap = (HBITMAP)1;
    WTS_ALPHATYPE alpha = WTSAT_UNKNOWN;
    void *other = (void *)1;

    if (!init) {
        printf("%s: no class\n", file);
        wrong++;
        return;
    }
    expect(IInitializeWithStream_QueryInterface(init, &IID_IThumbnailProvider, (void **)&provider) == S_OK,
           "no IThumbnailProvider", file);
    expect(IInitializeWithStream_QueryInterface(init, &IID_IPersist, &other) == E_NOINTERFACE && !other,
           "an interface that it lacks", file);
    expect(IThumbnailProvider_GetThumbnail(provider, size, &bitmap, &alpha) == E_UNEXPECTED && !bitmap,
           "a picture of nothing", file);
    if (SHCreateStreamOnFileA(file, STGM_READ, &stream) != S_OK) {
        expect(0, "cannot be opened", file);
    } else {
        expect(IInitializeWithStream_Initialize(init, stream, STGM_READ) == S_OK, "Initialize fails", file);
        expect(FAILED(IInitializeWithStream_Initialize(init, stream, STGM_READ)), "Initialize twice", file);
        const DWORD start = GetTickCount();
        const HRESULT result = IThumbnailProvider_GetThumbnail(provider, size, &bitmap, &alpha);
        const DWORD took = GetTickCount() - start;
        expect(took < 5000, "takes more than five seconds", file);
        if (SUCCEEDED(result)) {
            DIBSECTION dib;
            expect(alpha == WTSAT_ARGB, "alpha", file);
            expect(GetObjectA(bitmap, sizeof dib, &dib) == sizeof dib && dib.dsBm.bmBits &&
                       dib.dsBm.bmBitsPixel == 32,
                   "no DIB section", file);
            const UINT width = (UINT)dib.dsBm.bmWidth, height = (UINT)abs((int)dib.dsBm.bmHeight);
            expect(width >= 1 && height >= 1 && width <= size && height <= size, "size", file);
            const unsigned char *p = dib.dsBm.bmBits;
            for (size_t i = 0; i < (size_t)width * height * 4; i += 4)
                if (p[i] > p[i + 3] || p[i + 1] > p[i + 3] || p[i + 2] > p[i + 3]) {
                    expect(0, "colours are not multiplied by alpha", file);
                    break;
                }
            printf("%s: %ux%u, %u colours\n", file, width, height,
                   colors_of(dib.dsBm.bmBits, (size_t)width * height));
            dib.dsBmih.biHeight = -(LONG)height;
            write_bmp(folder, file, &dib.dsBmih, dib.dsBm.bmBits);
            DeleteObject(bitmap);
        } else {
            expect(!bitmap, "a picture and an error", file);
            printf("%s: none, 0x%08lX\n", file, (unsigned long)result);
        }
        IStream_Release(stream);
    }
    IThumbnailProvider_Release(provider);
    expect(IInitializeWithStream_Release(init) == 0, "the object is still in use", file);
}

int main(int argc, char **argv)
{
    HMODULE dll = NULL;

    if (argc < 5)
        return 2;
    CoInitializeEx(NULL, COINIT_APARTMENTTHREADED);
    if (strcmp(argv[1], "-") != 0 && !(dll = LoadLibraryA(argv[1]))) {
        printf("%s cannot be loaded\n", argv[1]);
        return 1;
    }
    for (int i = 4; i < argc; i++)
        try_file(dll, (UINT)atoi(argv[2]), argv[3], argv[i]);
    if (dll) {
        HRESULT(WINAPI * unload)
        (void) = (HRESULT(WINAPI *)(void))(void *)GetProcAddress(dll, "DllCanUnloadNow");
        expect(unload && unload() == S_OK, "DllCanUnloadNow", argv[1]);
    }
    CoUninitialize();
    return wrong != 0;
}
