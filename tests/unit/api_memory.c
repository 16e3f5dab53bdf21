/* Running out of memory anywhere: the n-th block of the arenas fails, for every n, and each time the session ends with
 * the machine's status, without a crash, a leak or a half-written module. The linker gives the library's
 * calloc() to this file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <helia_aot/helia_aot.h>

static int64_t left = -1; /* blocks until one fails; below 0: none does */

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
    if (left == 0)
        return NULL;
    left -= left > 0;
    return __real_calloc(n, size);
}

static char last_message[256];

static void keep_last(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    snprintf(last_message, sizeof(last_message), "%s", text);
}

static char folder[64];

/* -1: there is no session. */
static int convert(const char *platform, const char *output)
{
    HeliaSession *s = helia_session_new(keep_last, NULL);
    if (!s)
        return -1;
    char path[128];
    snprintf(path, sizeof(path), "%s/c.yaml", folder);
    helia_session_config_file(s, path);
    helia_session_set(s, "platform.name", platform);
    snprintf(path, sizeof(path), "%s/%s", folder, output);
    helia_session_set(s, "module.path", path);
    HeliaStatus status = helia_session_run(s, HELIA_STAGE_EXPORT);
    assert_int_equal(helia_session_num_files(s) > 0, helia_session_status(s) == HELIA_STATUS_OK);
    helia_session_free(s);
    return (int)status;
}

static int shell(const char *command)
{
    char line[256];
    snprintf(line, sizeof(line), "cd %s && %s", folder, command);
    return system(line);
}

static void every_block(void **state)
{
    static const char *const platforms[] = {"cortex-m4", "cortex-m55"};
    static const char *const outputs[] = {"new/out", "new/out.zip"};
    (void)state;
    for (int p = 0; p < 2; p++) {
        int status = HELIA_STATUS_MACHINE;
        int64_t n = 0;
        for (; status != HELIA_STATUS_OK; n++) {
            assert_int_equal(shell("rm -rf new"), 0);
            left = n;
            last_message[0] = 0;
            status = convert(platforms[p], outputs[p]);
            left = -1;
            if (status > 0)
                assert_string_equal(last_message, "error: out of memory");
            assert_int_not_equal(status, HELIA_STATUS_INPUT);
            assert_true(n < 100000);
            /* No module or, where only the last message failed, a whole one; never what was on the way to one. */
            assert_int_equal(shell("test ! -e new || test \"$(ls -A new)\" = out.zip || test \"$(ls -A new/out)\" = m"),
                             0);
        }
        assert_true(n > 10);
        assert_int_equal(shell("test -e new/out/m -o -e new/out.zip"), 0);
    }
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/helia-memory-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    return shell("printf 'model: {path: " HELIA_SOURCE_DIR "/models/digits.tflite}\\nmodule: {name: m}\\nmemory:\\n"
                 "  planner: hill_climb\\n  planner_options: {iterations: 50}\\n' >c.yaml");
}

static int tear_down(void **state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof(line), "rm -rf %s", folder);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_block)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
