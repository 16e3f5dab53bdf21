/* A folder, the executable beside the test, and what its last call printed: for tests of the commands. */
#ifndef CLI_FIXTURE_H
#define CLI_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MODEL HELIA_SOURCE_DIR "/tests/conformance/models/add_int8_bc_scalar.tflite"
#define GOLDEN HELIA_SOURCE_DIR "/tests/conformance/golden/add_int8_bc_scalar.npz"

static char folder[] = "/tmp/helia-cli-XXXXXX";
static char tool[4096];
static char out[1 << 18], err[1 << 16];

static inline void read_back(const char *name, char *to, size_t capacity)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(to, 1, capacity - 1, f) : 0;
    to[n] = 0;
    if (f)
        fclose(f);
}

/* A command of the shell in the test's folder. */
static inline int shell(const char *command)
{
    char line[8300];
    assert_true(snprintf(line, sizeof(line), "cd %s && %s", folder, command) < (int)sizeof(line));
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs the tool there; what it prints is in out and err. */
static inline int run(const char *arguments)
{
    char line[8192];
    snprintf(line, sizeof(line), "'%s' %s >out 2>err", tool, arguments);
    int status = shell(line);
    read_back("out", out, sizeof(out));
    read_back("err", err, sizeof(err));
    return status;
}

static inline void write_text(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static inline void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("expected \"%s\" in:\n%s", part, text);
}

static inline int set_up(void **state)
{
    (void)state;
    ssize_t n = readlink("/proc/self/exe", tool, sizeof(tool) - 16);
    if (n <= 0 || !mkdtemp(folder))
        return -1;
    tool[n] = 0;
    strcpy(strrchr(tool, '/') + 1, "helia-aot");
    return access(tool, X_OK);
}

static inline int tear_down(void **state)
{
    (void)state;
    char line[64];
    snprintf(line, sizeof(line), "rm -r %s", folder);
    return system(line);
}

#endif
