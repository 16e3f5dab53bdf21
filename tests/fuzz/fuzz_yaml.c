/* Any bytes as a configuration file: an error or a configuration, whose recorded form reads back to the same one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[64]; /* of a file without a name */
static int file = -1;

static void quiet(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    (void)text;
}

static void open_file(void)
{
    char name[] = "/tmp/fuzz-yaml-XXXXXX";
    file = mkstemp(name);
    if (file < 0)
        abort();
    unlink(name);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
}

static const Config *load(HeliaArena *arena, HeliaDiag *diag, const void *bytes, size_t size)
{
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != (ssize_t)size)
        abort();
    return config_load(arena, diag, path, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    if (file < 0)
        open_file();
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, quiet, NULL, 3);
    const Config *config = load(arena, diag, bytes, size);
    if (!config && helia_diag_errors(diag) == 0)
        abort();
    if (config) {
        const char *once = config_dump(arena, config, digest);
        const Config *again = load(arena, diag, once, strlen(once));
        if (!again || strcmp(config_dump(arena, again, digest), once) != 0)
            abort();
    }
    helia_arena_free(arena);
    return 0;
}
