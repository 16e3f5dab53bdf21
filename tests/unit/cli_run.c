/* The command run: answers, and which arrays and files it refuses. */
#include "support/npz.h"

#include "cli_fixture.h"

static void run_gives_the_golden_answer(void **state)
{
    (void)state;
    assert_int_equal(run("run " MODEL " --input " GOLDEN " --output o.npz"), 0);
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    Npz golden, result;
    char path[128];
    snprintf(path, sizeof(path), "%s/o.npz", folder);
    assert_true(npz_read(arena, diag, path, &result) && npz_read(arena, diag, GOLDEN, &golden));
    assert_int_equal(result.len, 1);
    const NpzArray *a = npz_find(&result, "out0_0"), *b = npz_find(&golden, "tflm0_0");
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);

    /* The same by index, and by name; the output is then output_0. */
    Npz named = {0};
    NpzArray in0 = *npz_find(&golden, "in0_0"), in1 = *npz_find(&golden, "in1_0");
    in0.name = "input_0";
    in1.name = "in1";
    HELIA_PUSH(arena, &named, in0);
    HELIA_PUSH(arena, &named, in1);
    snprintf(path, sizeof(path), "%s/i.npz", folder);
    assert_true(npz_write(arena, diag, path, &named));
    assert_int_equal(run("run " MODEL " --input i.npz --output o.npz"), 0);
    snprintf(path, sizeof(path), "%s/o.npz", folder);
    assert_true(npz_read(arena, diag, path, &result));
    assert_memory_equal(npz_find(&result, "output_0")->data, b->data, b->size);
    helia_arena_free(arena);
}

/* An input archive with one array of the given name, type and shape instead of in0_0. */
static void run_with(const char *name, char kind, uint32_t item, int32_t rank, const int64_t *dim)
{
    static const uint8_t zeros[4096];
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    Npz npz = {0};
    NpzArray array = {.name = name, .kind = kind, .item = item, .rank = rank, .data = zeros, .size = item};
    for (int32_t i = 0; i < rank; i++) {
        array.dim[i] = dim[i];
        array.size *= (size_t)dim[i];
    }
    HELIA_PUSH(arena, &npz, array);
    HELIA_PUSH(arena, &npz,
               ((NpzArray){.name = "in1_0", .kind = 'i', .item = 1, .rank = 1, .dim = {1}, .data = zeros, .size = 1}));
    char path[128];
    snprintf(path, sizeof(path), "%s/i.npz", folder);
    assert_true(npz_write(arena, diag, path, &npz));
    helia_arena_free(arena);
    assert_int_equal(run("run " MODEL " --input i.npz --output refused.npz"), 1);
    snprintf(path, sizeof(path), "%s/refused.npz", folder);
    assert_int_equal(access(path, F_OK), -1);
}

/* A typing error must not cost someone the files that a command reads, or a device. */
static void inputs_stay(void **state)
{
    (void)state;
    assert_int_equal(shell("cp " MODEL " m.tflite && cp " GOLDEN " g.npz && echo 'model: {path: m.tflite}' >c.yaml"),
                     0);
    assert_int_equal(run("run m.tflite --input g.npz --output m.tflite"), 1);
    expect(err, "m.tflite: error: --output names a file that is read");
    assert_int_equal(run("run m.tflite --input g.npz --output g.npz"), 1);
    assert_int_equal(run("convert --path c.yaml --module.path mo --log_file m.tflite"), 1);
    expect(err, "m.tflite: error: log_file names a file that is read");
    assert_int_equal(run("convert --path c.yaml --module.path mo --log_file c.yaml"), 1);
    assert_int_equal(shell("cmp m.tflite " MODEL " && cmp g.npz " GOLDEN " && grep -q m.tflite c.yaml && test ! -e mo"),
                     0);
    assert_int_equal(shell("mkfifo pipe && ln -s o.npz link"), 0);
    assert_int_equal(run("run m.tflite --input g.npz --output pipe"), 1);
    expect(err, "is no regular file");
    assert_int_equal(run("run m.tflite --input g.npz --output o.npz"), 0);
    assert_int_equal(run("run m.tflite --input g.npz --output link"), 0);
    assert_int_equal(shell("test -p pipe && test -h link && rm pipe link"), 0);
}

static void run_refuses_wrong_arrays(void **state)
{
    (void)state;
    static const int64_t shape[] = {1, 4, 5, 6}, other[] = {4, 5, 6};
    run_with("in0_0", 'f', 4, 4, shape);
    expect(err, "i.npz: \"in0_0\": error: type is <f4; input 0 takes |i1");
    run_with("in0_0", 'i', 1, 3, other);
    expect(err, "i.npz: \"in0_0\": error: shape is (4, 5, 6); input 0 takes (1, 4, 5, 6)");
    run_with("in0_1", 'i', 1, 4, shape);
    expect(err, "i.npz: \"in0_1\": error: there is no array in0_0 before it; steps are numbered from 0 without a gap");
    run_with("in1_4000000000", 'i', 1, 4, shape);
    expect(err, "there is no array in1_3999999999 before it");
    run_with("in1_99999999999999999999", 'i', 1, 4, shape);
    expect(err, "the numbers are too large or begin with 0; expected in<i>_<step>");
    run_with("in1_00", 'i', 1, 4, shape);
    expect(err, "the numbers are too large or begin with 0");
    run_with("input_0", 'i', 1, 4, shape);
    expect(err, "i.npz: \"input_0\": error: the array belongs to no input; expected in0_<step>, in1_<step>");
    run_with("in2_0", 'i', 1, 4, shape);
    expect(err, "i.npz: \"in2_0\": error: the array belongs to no input; expected in0_<step>, in1_<step>");
    run_with("imput", 'i', 1, 4, shape);
    expect(err, "i.npz: error: input 0 \"in0\" is missing: expected an array in0_0 of type |i1 and shape (1, 4, 5, 6)");
    expect(err, "i.npz: \"imput\": error: the array belongs to no input; expected in0_<step>, in1_<step>");
}

/* Inputs by index or name: unknown names, and two arrays of one input. */
static void run_refuses_unknown_names(void **state)
{
    (void)state;
    static const uint8_t zeros[120];
    static const char *const names[] = {"input_0", "in1", "input_2", "output_1", "x"};
    HeliaArena *arena = helia_arena_new(NULL);
    HeliaDiag *diag = helia_diag_new(arena, NULL, NULL, 1);
    Npz npz = {0};
    for (int i = 0; i < 5; i++)
        HELIA_PUSH(arena, &npz,
                   ((NpzArray){.name = names[i],
                               .kind = 'i',
                               .item = 1,
                               .rank = i == 1 ? 1 : 4,
                               .dim = {1, 4, 5, 6},
                               .data = zeros,
                               .size = i == 1 ? 1 : 120}));
    char path[128];
    snprintf(path, sizeof(path), "%s/i.npz", folder);
    assert_true(npz_write(arena, diag, path, &npz));
    assert_int_equal(run("run " MODEL " --input i.npz --output refused.npz"), 1);
    for (int i = 2; i < 5; i++)
        expect(err, helia_format(arena,
                                 "\"%s\": error: the array belongs to no input; expected input_0 or \"in0\", "
                                 "input_1 or \"in1\"",
                                 names[i]));
    npz.len = 2;
    assert_true(npz_write(arena, diag, path, &npz));
    assert_int_equal(run("run " MODEL " --input i.npz --output o.npz"), 0);
    npz.at[2].name = "in0";
    npz.len = 3;
    assert_true(npz_write(arena, diag, path, &npz));
    assert_int_equal(run("run " MODEL " --input i.npz --output refused.npz"), 1);
    expect(err, "i.npz: \"in0\": error: input 0 has the array \"input_0\" already; expected one of them");
    helia_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_gives_the_golden_answer),
        cmocka_unit_test(inputs_stay),
        cmocka_unit_test(run_refuses_wrong_arrays),
        cmocka_unit_test(run_refuses_unknown_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
