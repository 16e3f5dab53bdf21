/* The planners: problems with known minima, random ones against all orders, the check, tables. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "support/file.h"

static HeliaArena *arena;
static HeliaDiag *diag;
static char messages[4096];
static uint64_t random_state = 88172645463325252u;

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

static int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 0);
    messages[0] = '\0';
    return 0;
}

static int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

static uint32_t below(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % n);
}

static PlanBuf *random_problem(uint32_t n, uint32_t positions, uint32_t sizes, bool aligned)
{
    PlanBuf *bufs = HELIA_NEW_N(arena, PlanBuf, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = below(positions), last = first + below(positions - first);
        bufs[i] = (PlanBuf){i, first, last, below(sizes), aligned ? (size_t)1 << below(4) : 1, 0};
    }
    return bufs;
}

static PlanResult plan(const char *name, PlanBuf *bufs, uint32_t n, const PlanOptions *options)
{
    PlanResult result = {0};
    planner_find(name)->plan(arena, bufs, n, options, &result);
    if (!plan_check(arena, diag, bufs, n, &result))
        fail_msg("%s: %s", name, messages);
    return result;
}

/* The smallest peak of all plans: some order, each buffer at the lowest offset where it fits, reaches it. */
static size_t smallest_peak(PlanBuf *bufs, uint32_t placed, uint32_t n, size_t peak, size_t best)
{
    if (placed == n || peak >= best)
        return peak < best ? peak : best;
    for (uint32_t i = placed; i < n; i++) {
        PlanBuf swap = bufs[placed];
        bufs[placed] = bufs[i];
        bufs[i] = swap;
        PlanBuf *b = &bufs[placed];
        for (bool moved = true; moved;) {
            moved = false;
            for (uint32_t k = 0; k < placed; k++) {
                const PlanBuf *p = &bufs[k];
                if (p->first <= b->last && b->first <= p->last && p->offset < b->offset + b->size &&
                    b->offset < p->offset + p->size) {
                    b->offset = (p->offset + p->size + b->align - 1) / b->align * b->align;
                    moved = true;
                }
            }
        }
        size_t end = b->offset + b->size;
        best = smallest_peak(bufs, placed + 1, n, end > peak ? end : peak, best);
        b->offset = 0;
        swap = bufs[placed];
        bufs[placed] = bufs[i];
        bufs[i] = swap;
    }
    return best;
}

static void random_problems(void **state)
{
    (void)state;
    for (int round = 0; round < 600; round++) {
        HeliaArena *outer = arena;
        arena = helia_arena_child(outer);
        uint32_t n = 1 + below(6);
        PlanBuf *bufs = random_problem(n, 2 + below(8), 2 + below(12), round % 3 == 0);
        PlanBuf *copy = helia_memdup(arena, bufs, n * sizeof(*bufs));
        size_t minimum = smallest_peak(copy, 0, n, 0, SIZE_MAX);
        size_t bound = plan_lower_bound(arena, bufs, n);
        assert_true(bound <= minimum);
        for (uint32_t k = 0; planner_at(k); k++) {
            PlanResult r = plan(planner_at(k)->name, bufs, n, NULL);
            assert_true(r.peak >= minimum && r.lower_bound >= bound && r.lower_bound <= minimum);
            if (strcmp(planner_at(k)->name, "optimal") == 0) {
                assert_true(r.proven);
                assert_int_equal(r.peak, minimum);
            }
        }
        helia_arena_free(arena);
        arena = outer;
    }
}

/* Larger than can be enumerated: what must hold anyway. */
static void large_random_problems(void **state)
{
    (void)state;
    for (int round = 0; round < 12; round++) {
        uint32_t n = 20 + below(100);
        PlanBuf *bufs = random_problem(n, 60, 200, round % 2 == 0);
        const PlanOptions few = {.iterations = 200, .step_limit = 200000};
        size_t greedy = plan("greedy", bufs, n, NULL).peak;
        assert_true(greedy <= plan("greedy_by_size", bufs, n, NULL).peak);
        assert_true(plan("hill_climb", bufs, n, &few).peak <= greedy);
        PlanResult best = plan("optimal", bufs, n, &few);
        assert_true(best.peak <= greedy && best.lower_bound >= plan_lower_bound(arena, bufs, n));
        assert_true(!best.proven || best.peak == best.lower_bound);
    }
}

static void same_plan_every_time(void **state)
{
    (void)state;
    enum { N = 60 };
    PlanBuf *a = random_problem(N, 40, 100, false), *b = helia_memdup(arena, a, N * sizeof(*a));
    const PlanOptions options = {.iterations = 300, .seed = 42, .step_limit = 100000};
    for (uint32_t k = 0; planner_at(k); k++) {
        PlanResult p = plan(planner_at(k)->name, a, N, &options), q = plan(planner_at(k)->name, b, N, &options);
        assert_int_equal(p.peak, q.peak);
        assert_memory_equal(a, b, N * sizeof(*a));
    }
}

static void no_buffers(void **state)
{
    (void)state;
    for (uint32_t k = 0; planner_at(k); k++) {
        PlanResult r = plan(planner_at(k)->name, NULL, 0, NULL);
        assert_true(r.peak == 0 && r.lower_bound == 0 && r.proven);
    }
    assert_null(planner_find("best"));
}

/* ---- the orders of greedy --------------------------------------------------------------------- */
static void ties_of_greedy(void **state)
{
    (void)state;
    /* By size: the equal ones by first use, then by index. */
    PlanBuf bufs[] = {{0, 2, 4, 16, 1, 0}, {1, 0, 3, 16, 1, 0}, {2, 2, 2, 16, 1, 0}, {3, 0, 4, 32, 1, 0}};
    plan("greedy_by_size", bufs, 4, NULL);
    const size_t by_size[] = {48, 32, 64, 0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(bufs[i].offset, by_size[i]);
    /* All orders reach the bound; the first one, by first use with larger first, is taken. */
    PlanBuf pair[] = {{0, 0, 1, 16, 1, 0}, {1, 0, 0, 32, 1, 0}, {2, 1, 1, 32, 1, 0}};
    PlanResult r = plan("greedy", pair, 3, NULL);
    assert_int_equal(r.peak, 48);
    assert_true(r.proven);
    assert_int_equal(pair[1].offset, 0);
    assert_int_equal(pair[0].offset, 32);
    assert_int_equal(pair[2].offset, 0);
}

/* ---- the check -------------------------------------------------------------------------------- */
static void check_refuses(void **state)
{
    (void)state;
    const PlanBuf good[] = {{7, 0, 2, 16, 16, 0}, {8, 2, 3, 32, 16, 16}};
    const PlanResult right = {48, 48, true};
    assert_true(plan_check(arena, diag, good, 2, &right));
    static const struct {
        PlanBuf second;
        PlanResult result;
        const char *message;
    } wrong[] = {
        {{8, 2, 3, 32, 16, 0}, {32, 32, true}, "buffers 7 (16 bytes at 0) and 8 (32 bytes at 0) overlap"},
        {{8, 2, 3, 32, 16, 24}, {56, 48, false}, "buffer 8 is at 24, which its alignment 16 does not divide"},
        {{8, 3, 2, 32, 16, 16}, {48, 48, true}, "buffer 8 lives from 3 to 2"},
        {{8, 2, 3, 32, 16, SIZE_MAX - 15}, {48, 48, true}, "buffer 8 of 32 bytes"},
        {{8, 2, 3, 32, 16, 16}, {32, 32, true}, "the peak is 48, not 32"},
        {{8, 2, 3, 32, 16, 16}, {48, 32, true}, "contradict"},
        {{8, 2, 3, 32, 16, 16}, {48, 64, false}, "contradict"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const PlanBuf bufs[] = {good[0], wrong[i].second};
        messages[0] = '\0';
        assert_false(plan_check(arena, diag, bufs, 2, &wrong[i].result));
        if (!strstr(messages, wrong[i].message))
            fail_msg("expected \"%s\", found \"%s\"", wrong[i].message, messages);
    }
}

/* ---- tables ----------------------------------------------------------------------------------- */
static const char *plan_file(const char *file, const char *planner)
{
    PlanTable table = {0};
    const char *path = helia_format(arena, HELIA_SOURCE_DIR "/tests/plans/%s", file);
    if (!plan_table_read(arena, diag, path, &table))
        fail_msg("%s", messages);
    return plan_table_text(arena, diag, &table, planner_find(planner), NULL);
}

static void known_problems(void **state)
{
    (void)state;
    FILE *index = fopen(HELIA_SOURCE_DIR "/tests/plans/index.csv", "r");
    assert_non_null(index);
    char line[256], file[64];
    size_t bound, optimum, greedy;
    int rows = 0;
    while (fgets(line, sizeof(line), index)) {
        if (sscanf(line, "%63[^,],%zu,%zu,%zu", file, &bound, &optimum, &greedy) != 4)
            continue;
        rows++;
        const char *best = helia_format(arena, "peak %zu bound %zu proven yes\n", optimum, optimum);
        const char *cheap = helia_format(arena, "peak %zu bound %zu proven %s\n", greedy, bound,
                                         greedy == bound ? "yes" : "no");
        const char *text = plan_file(file, "optimal");
        if (strncmp(text, best, strlen(best)) != 0)
            fail_msg("%s: expected %s, found %s", file, best, text);
        text = plan_file(file, "greedy");
        if (strncmp(text, cheap, strlen(cheap)) != 0)
            fail_msg("%s: expected %s, found %s", file, cheap, text);
        size_t climbed = strtoull(plan_file(file, "hill_climb") + strlen("peak "), NULL, 10);
        assert_true(climbed >= optimum && climbed * 100 <= optimum * 101);
    }
    fclose(index);
    assert_int_equal(rows, 7);
}

static void table_text(void **state)
{
    (void)state;
    assert_string_equal(plan_file("one_column.csv", "greedy"), "peak 96 bound 96 proven yes\na,16\nb,0\nc,0\nd,64\n");
}

static bool read_text(const char *text, PlanTable *table)
{
    char path[] = "/tmp/helia-plan-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    messages[0] = '\0';
    bool ok = plan_table_read(arena, diag, path, table);
    remove(path);
    return ok;
}

static void tables_refused(void **state)
{
    (void)state;
    PlanTable table = {0};
    assert_true(read_text("0,0,1,16\r\n\n1,1,2,32", &table));
    assert_int_equal(table.bufs.len, 2);
    static const char *const rows[] = {
        "a",         "a,1",       ",0,0,1",   "a,1,0,1",          "a,0,0,-1",
        "a,0,0,1,2", "a,0,0, 16", "a,0,x,16", "a,4294967296,0,1", "a,0,0,99999999999999999999"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        PlanTable none = {0};
        assert_false(read_text(helia_format(arena, "id,first,last,size\n%s\n", rows[i]), &none));
        assert_non_null(strstr(messages, ":2"));
        assert_non_null(strstr(messages, rows[i]));
    }
    PlanTable large = {0};
    assert_false(read_text("a,0,0,9999999999999999999\nb,0,0,9999999999999999999\n", &large));
    assert_non_null(strstr(messages, "add up"));
}

static void expect_error(const char *text, const char *message)
{
    PlanTable none = {0};
    assert_false(read_text(text, &none));
    if (!strstr(messages, message))
        fail_msg("%s: expected \"%s\", found \"%s\"", text, message, messages);
}

/* Columns go by the names in the header. */
static void headers(void **state)
{
    (void)state;
    PlanTable table = {0};
    assert_true(read_text("\xef\xbb\xbfsize,last,id,first\r\n16,5,a,2\n32,9,b,5\n", &table));
    assert_int_equal(table.bufs.len, 2);
    assert_string_equal(table.names.at[1], "b");
    assert_true(table.bufs.at[0].size == 16 && table.bufs.at[0].first == 2 && table.bufs.at[0].last == 5);
    expect_error("size,last,id,first\n16,2,a,5\n", ":2: error: expected size,last,id,first as whole numbers");
    static const char *const wrong[] = {"id,start,end,bytes",
                                        "id,first,last",
                                        "id,first,last,size,align",
                                        "id,first,last,last",
                                        "ID,first,last,size",
                                        "id;first;last;size",
                                        "id,"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        expect_error(helia_format(arena, "%s\na,0,1,16\n", wrong[i]),
                     ":1: error: expected a header of the columns id, ");
        assert_non_null(strstr(messages, wrong[i]));
    }
    PlanTable plain = {0};
    assert_true(read_text("id,0,1,16\n", &plain)); /* a buffer of that name */
    assert_int_equal(plain.bufs.len, 1);
    expect_error("a,0,1,16\nid,first,last,size\n", ":2: error: expected id,first,last,size as whole numbers");
}

static void ids_are_unique(void **state)
{
    (void)state;
    expect_error("a,0,1,16\nb,0,1,16\na,2,3,16\n", ":3: error: the id \"a\" is that of line 1, too");
    static const char *const empty[] = {"", "\n\r\n", "\xef\xbb\xbf", "id,first,last,size\n"};
    for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
        expect_error(empty[i], "the table is empty; expected rows id,first,last,size");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh, finish)
    const struct CMUnitTest tests[] = {
        TEST(random_problems),      TEST(large_random_problems),
        TEST(same_plan_every_time), TEST(no_buffers),
        TEST(ties_of_greedy),       TEST(check_refuses),
        TEST(known_problems),       TEST(table_text),
        TEST(tables_refused),       TEST(headers),
        TEST(ids_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
