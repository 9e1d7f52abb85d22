/*
 * cli/shared/windows.c: see windows.h. Texts are UTF-8, and those of Windows UTF-16: functions that end in W
 * are called, since the others depend on the machine's code page.
 */
#include "cli/shared/program.h"
#include "cli/shared/windows.h"

#ifdef _WIN32

#include "os/locale.h"
#include "base/text.h"

#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

#ifndef ENABLE_VIRTUAL_TERMINAL_PROCESSING
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 0x0004
#endif

/* In UTF-16, to be freed; NULL without memory. */
static wchar_t *wide_of(const char *text)
{
    const int n = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;

    if (wide && !MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, n)) {
        free(wide);
        wide = NULL;
    }
    return wide;
}

/* ---- console ------------------------------------------------------------------------------------------- */

/* The console of the stream, and its mode; false: it is none. */
static bool console_of(FILE *stream, HANDLE *console, DWORD *mode)
{
    *console = (HANDLE)_get_osfhandle(_fileno(stream));
    return GetConsoleMode(*console, mode);
}

bool cli_windows_is_console(FILE *stream)
{
    HANDLE console;
    DWORD mode;

    return console_of(stream, &console, &mode);
}

/* The modes that were changed, of standard output and standard error. */
static struct {
    HANDLE console;
    DWORD mode;
} changed[2];
static size_t changed_count;

bool cli_windows_console_begin(FILE *stream)
{
    HANDLE console;
    DWORD mode;

    if (!console_of(stream, &console, &mode))
        return false;
    if (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING)
        return true;
    if (changed_count == sizeof changed / sizeof *changed ||
        !SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
        return false;
    changed[changed_count].console = console;
    changed[changed_count++].mode = mode;
    return true;
}

void cli_windows_console_end(void)
{
    while (changed_count) {
        changed_count--;
        SetConsoleMode(changed[changed_count].console, changed[changed_count].mode);
    }
}

bool cli_windows_console_write(FILE *stream, const char *text, size_t len)
{
    enum { AT_ONCE = 4096 }; /* a console takes 64 KiB at most */
    wchar_t wide[AT_ONCE];
    HANDLE console;
    DWORD mode, written;

    if (!console_of(stream, &console, &mode))
        return fwrite(text, 1, len, stream) == len;
    while (len) {
        const size_t n = lvl_text_cut((lvl_text){text, len}, AT_ONCE).len;
        const int units = MultiByteToWideChar(CP_UTF8, 0, text, (int)n, wide, AT_ONCE);
        for (int at = 0; at < units; at += (int)written) {
            if (!WriteConsoleW(console, wide + at, (DWORD)(units - at), &written, NULL) || !written)
                return false;
        }
        text += n;
        len -= n;
    }
    return true;
}

size_t cli_windows_console_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    HANDLE console;
    DWORD mode;

    if (!console_of(stderr, &console, &mode) || !GetConsoleScreenBufferInfo(console, &info))
        return 0;
    const int columns = info.srWindow.Right - info.srWindow.Left + 1;
    return columns > 0 ? (size_t)columns : 0;
}

/* ---- programs ------------------------------------------------------------------------------------------ */

char *cli_windows_own_path(void)
{
    char *path = NULL;

    for (DWORD size = MAX_PATH; size <= 0x8000 && !path; size *= 2) {
        wchar_t *wide = malloc(size * sizeof *wide);
        if (!wide)
            return NULL;
        const DWORD len = GetModuleFileNameW(NULL, wide, size);
        if (len && len < size)
            path = lvl_locale_narrow(wide, false);
        free(wide);
        if (!len)
            return NULL;
    }
    return path;
}

enum { MAX_CHARS = 32768 }; /* of a path, or of PATH */

static bool is_there(const wchar_t *path)
{
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

/* Where the installer of Git for Windows put it. */
static bool find_installed_git(wchar_t *found)
{
    static const HKEY keys[] = {HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE};
    static const wchar_t below[] = L"\\cmd\\git.exe";

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        DWORD size = (MAX_CHARS - 16) * sizeof *found;
        if (RegGetValueW(keys[i], L"SOFTWARE\\GitForWindows", L"InstallPath", RRF_RT_REG_SZ, NULL, found,
                         &size) != ERROR_SUCCESS)
            continue;
        memcpy(found + wcslen(found), below, sizeof below);
        if (is_there(found))
            return true;
    }
    return false;
}

/* Where the installer of Graphviz puts its programs; it changes PATH only if asked to. */
static bool find_installed_graphviz(const wchar_t *name, wchar_t *found)
{
    const DWORD len = GetEnvironmentVariableW(L"ProgramFiles", found, MAX_CHARS / 2);

    if (!len || len >= MAX_CHARS / 2 || wcslen(name) > 32)
        return false;
    wcscat(found, L"\\Graphviz\\bin\\");
    wcscat(found, name);
    wcscat(found, L".exe");
    return is_there(found);
}

/* The program in the folders of PATH, and not in the current folder, where it may be somebody else's; else
 * where its installer puts it. To be freed; NULL: there is none, or no memory. */
static wchar_t *find_program(const char *name)
{
    wchar_t *folders = malloc(MAX_CHARS * sizeof *folders), *found = malloc(MAX_CHARS * sizeof *found);
    wchar_t *wide = wide_of(name);
    bool good = false;

    if (folders && found && wide) {
        const DWORD len = GetEnvironmentVariableW(L"PATH", folders, MAX_CHARS);
        const DWORD n =
            len && len < MAX_CHARS ? SearchPathW(folders, wide, L".exe", MAX_CHARS, found, NULL) : 0;
        good = (n && n < MAX_CHARS) ||
               (strcmp(name, "git") == 0 ? find_installed_git(found) : find_installed_graphviz(wide, found));
    }
    free(wide);
    free(folders);
    if (!good) {
        free(found);
        found = NULL;
    }
    return found;
}

static void put_backslashes(lvl_buffer *out, size_t count)
{
    while (count--)
        lvl_buffer_u8(out, '\\');
}

/* Appends a blank and an argument, in quotes as the C library of the program expects them: backslashes before
 * a quote are doubled, and one more escapes the quote if it belongs to the argument. */
static void put_argument(lvl_buffer *out, const char *word)
{
    size_t slashes = 0;

    lvl_buffer_str(out, " \"");
    for (; *word; word++) {
        if (*word == '"')
            put_backslashes(out, slashes + 1);
        slashes = *word == '\\' ? slashes + 1 : 0;
        lvl_buffer_u8(out, (uint8_t)*word);
    }
    put_backslashes(out, slashes);
    lvl_buffer_u8(out, '"');
}

/* Starts the program with its output in a pipe. */
static bool start(const cli_program *p, const wchar_t *program, wchar_t *line, HANDLE *process, HANDLE *pipe)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOW how = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES};
    wchar_t *folder = p->folder ? wide_of(p->folder) : NULL;
    PROCESS_INFORMATION info;
    HANDLE writer;

    if ((p->folder && !folder) || !CreatePipe(pipe, &writer, &inherited, 0)) {
        free(folder);
        return false;
    }
    SetHandleInformation(*pipe, HANDLE_FLAG_INHERIT, 0);
    how.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    how.hStdOutput = writer;
    how.hStdError = p->messages ? writer : GetStdHandle(STD_ERROR_HANDLE);
    const bool started = CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, folder, &how, &info);
    free(folder);
    CloseHandle(writer);
    if (!started) {
        CloseHandle(*pipe);
        return false;
    }
    CloseHandle(info.hThread);
    *process = info.hProcess;
    return true;
}

/* Whether the program took too long by now, or the user stopped lvl. */
static bool is_late(const cli_program *p, ULONGLONG end)
{
    return p->seconds && (GetTickCount64() >= end || cli_stopped());
}

/* Reads all of its output. False: it took too long. */
static bool read_output(const cli_program *p, HANDLE pipe, ULONGLONG end)
{
    char text[4096];
    DWORD got, ready;

    for (;;) {
        if (p->seconds) {
            if (is_late(p, end))
                return false;
            if (PeekNamedPipe(pipe, NULL, 0, NULL, &ready, NULL) && !ready) {
                Sleep(20);
                continue;
            }
        }
        if (!ReadFile(pipe, text, sizeof text, &got, NULL) || !got)
            return true;
        if (p->out)
            lvl_buffer_add(p->out, text, got);
    }
}

/* Waits until the program ends, which may be after its output. False: it takes too long. */
static bool wait_for(const cli_program *p, HANDLE process, ULONGLONG end)
{
    enum { LOOK_EVERY = 200 }; /* ms */

    while (WaitForSingleObject(process, p->seconds ? LOOK_EVERY : INFINITE) == WAIT_TIMEOUT) {
        if (is_late(p, end))
            return false;
    }
    return true;
}

int cli_program_run(const cli_program *p)
{
    const ULONGLONG end = GetTickCount64() + p->seconds * 1000ull;
    lvl_buffer words = {0};
    HANDLE process, pipe;
    int code = CLI_PROGRAM_FAILED;

    lvl_buffer_str(&words, p->words[0]);
    for (const char *const *word = p->words + 1; *word; word++)
        put_argument(&words, *word);
    lvl_buffer_u8(&words, 0);
    wchar_t *program = find_program(p->words[0]);
    wchar_t *line = words.status == LVL_OK ? wide_of((const char *)words.data) : NULL;
    if (!program) {
        code = CLI_PROGRAM_MISSING;
    } else if (line && start(p, program, line, &process, &pipe)) {
        DWORD result = 0;
        bool ended = read_output(p, pipe, end);
        CloseHandle(pipe);
        ended = ended && wait_for(p, process, end);
        if (!ended) {
            TerminateProcess(process, 1);
            WaitForSingleObject(process, INFINITE);
            code = CLI_PROGRAM_LATE;
        } else if (GetExitCodeProcess(process, &result)) {
            code = (int)result;
        }
        CloseHandle(process);
    }
    free(program);
    free(line);
    lvl_buffer_free(&words);
    return code;
}

bool cli_windows_open(const char *path)
{
    wchar_t *wide = wide_of(path);

    for (wchar_t *p = wide; p && *p; p++)
        *p = *p == L'/' ? L'\\' : *p;
    const bool opened = wide && (INT_PTR)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > 32;
    free(wide);
    return opened;
}

#endif
