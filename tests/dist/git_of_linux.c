/*
 * git_of_linux.c: as git.exe, for the test of the command under Wine: hands its arguments to the git of
 * the system that Wine runs on. A program of that system can be started from here, but not waited for:
 * files say when it has ended. LVL_GIT_PLACE is the folder with serve.sh, which runs git.
 */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int argc, char **argv)
{
    char path[MAX_PATH], word[64];
    const char *const place = getenv("LVL_GIT_PLACE");
    STARTUPINFOA how = {.cb = sizeof how};
    PROCESS_INFORMATION info;
    int code = 99, c;
    FILE *file;

    snprintf(path, sizeof path, "%s\\arguments", place ? place : ".");
    file = fopen(path, "wb");
    if (!file)
        return 98;
    for (int i = 1; i < argc; i++)
        fwrite(argv[i], 1, strlen(argv[i]) + 1, file);
    fclose(file);
    snprintf(path, sizeof path, "%s\\serve.sh", place);
    snprintf(word, sizeof word, "serve.sh");
    if (!CreateProcessA(path, word, NULL, NULL, FALSE, 0, NULL, NULL, &how, &info))
        return 97;
    snprintf(path, sizeof path, "%s\\code", place);
    for (int i = 0; i < 600 && !(file = fopen(path, "rb")); i++)
        Sleep(50);
    if (!file || fscanf(file, "%d", &code) != 1)
        return 96;
    fclose(file);
    remove(path);
    snprintf(path, sizeof path, "%s\\output", place);
    file = fopen(path, "rb");
    _setmode(1, _O_BINARY);
    while (file && (c = getc(file)) != EOF)
        putchar(c);
    return code;
}
