/* Running out of memory anywhere: the n-th block of the arenas fails, for every n, and each time the session ends with the
 * machine's status, without a crash and without a leak. The linker gives the library's calloc() to this file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
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

/* -1: there is no session. */
static int convert(const char *model, const char *platform)
{
    HeliaSession *s = helia_session_new(keep_last, NULL);
    if (!s)
        return -1;
    helia_session_set(s, "model.path", model);
    helia_session_set(s, "platform.name", platform);
    helia_session_set(s, "memory.planner", "hill_climb");
    HeliaStatus status = helia_session_run(s, HELIA_STAGE_EMIT);
    if (helia_session_explain(s) == NULL && status == HELIA_STATUS_OK)
        status = HELIA_STATUS_MACHINE;
    assert_int_equal(helia_session_num_files(s) > 0, helia_session_status(s) == HELIA_STATUS_OK);
    helia_session_free(s);
    return (int)status;
}

static void every_block(void **state)
{
    static const char *const platforms[] = {"cortex-m4", "cortex-m55"};
    (void)state;
    for (int p = 0; p < 2; p++) {
        int status = HELIA_STATUS_MACHINE;
        int64_t n = 0;
        for (; status != HELIA_STATUS_OK; n++) {
            left = n;
            last_message[0] = 0;
            status = convert(HELIA_SOURCE_DIR "/models/digits.tflite", platforms[p]);
            left = -1;
            if (status > 0)
                assert_string_equal(last_message, "error: out of memory");
            assert_int_not_equal(status, HELIA_STATUS_INPUT);
            assert_true(n < 100000);
        }
        assert_true(n > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
