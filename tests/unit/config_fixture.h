/* What the tests of the configuration share: an arena, the messages so far, files in a folder of their own. */
#ifndef CONFIG_FIXTURE_H
#define CONFIG_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/keys.h"

static char messages[1 << 16];
static HeliaArena *arena;
static HeliaDiag *diag;
static char folder[] = "/tmp/helia-config-XXXXXX";

static inline void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

/* Before each test. */
static inline int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 1);
    messages[0] = 0;
    return 0;
}

static inline int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline const char *yaml_path(void)
{
    static char path[64];
    snprintf(path, sizeof(path), "%s/aot.yaml", folder);
    return path;
}

static inline int remove_folder(void **state)
{
    (void)state;
    unlink(yaml_path());
    return rmdir(folder);
}

/* Forgets earlier messages and loads a YAML text from a file. */
static inline Config *load_bytes(const void *text, size_t size)
{
    FILE *f = fopen(yaml_path(), "wb");
    assert_non_null(f);
    fwrite(text, 1, size, f);
    fclose(f);
    messages[0] = 0;
    return config_load(arena, diag, yaml_path(), NULL);
}

static inline Config *load(const char *text)
{
    return load_bytes(text, strlen(text));
}

/* A YAML text that gives one key, whose value is text of its own: "module:\n  path: out\n". */
static inline const char *yaml_of(const ConfigKey *key, const char *value)
{
    size_t n = key_section(key);
    return n ? helia_format(arena, "%.*s:\n  %s: %s\n", (int)n, key->path, key->path + n + 1, value)
             : helia_format(arena, "%s: %s\n", key->path, value);
}

/* Loading has failed with exactly one line, which begins with the place and holds `what`. */
static inline void expect_one_error(const Config *config, int line, int column, const char *what)
{
    const char *place = helia_format(arena, "%s:%d:%d: error: ", yaml_path(), line, column);
    if (config || strncmp(messages, place, strlen(place)) != 0 || !strstr(messages, what) ||
        strchr(messages, '\n') != messages + strlen(messages) - 1)
        fail_msg("expected one line \"%s...%s...\", got:\n%s", place, what, messages);
}

#endif
