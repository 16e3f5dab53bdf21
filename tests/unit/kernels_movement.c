/* PAD, PADV2, CONCATENATION and RESHAPE: every element's place against the definition, for element sizes 1 to 8. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "op_fixture.h"

typedef struct Type {
    const char *text, *quant;
    size_t size;
    uint8_t fill[8]; /* what PAD fills with */
} Type;

static const Type types[] = {
    {"s8", " q 0.5:-7", 1, {0xf9}},
    {"u8", " q 0.5:200", 1, {200}},
    {"s16", " q 0.5:0", 2, {0}},
    {"f32", "", 4, {0}},
    {"s32", "", 4, {0}},
    {"s64", "", 8, {0}},
};
enum { N_TYPES = sizeof(types) / sizeof(types[0]) };

static uint8_t *random_bytes(uint32_t *seed, size_t n)
{
    uint8_t *bytes = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)random_u32(seed);
    return bytes;
}

static void pad_case(const Type *t, bool with_value, uint32_t *seed)
{
    const int32_t rank = random_between(seed, 1, 6);
    int32_t dim[6], out_dim[6], paddings[12] = {0};
    for (int32_t d = 0; d < rank; d++) {
        dim[d] = random_between(seed, 1, 3);
        for (int32_t k = 0; k < 2; k++)
            paddings[2 * d + k] = random_between(seed, 0, 1) ? random_between(seed, 0, 2) : 0;
        out_dim[d] = paddings[2 * d] + dim[d] + paddings[2 * d + 1];
    }
    char text[1024], in_shape[64], out_shape[64], hex[128], value_line[64] = "";
    if (with_value)
        snprintf(value_line, sizeof(value_line), "tensor %%1 %s[] \"v\"%s\n", t->text, t->quant);
    const int first = with_value ? 2 : 1; /* number of the paddings' tensor */
    snprintf(text, sizeof(text),
             "tensor %%0 %s%s \"x\"%s\n%stensor %%%d s32[%dx2] \"p\" const %d\ntensor %%%d %s%s \"y\"%s\n"
             "op 0 %s (%%0 %%%d%s) -> (%%%d)\ndata %%%d %s\n",
             t->text, shape_text(in_shape, rank, dim), t->quant, value_line, first, rank, rank * 8, first + 1, t->text,
             shape_text(out_shape, rank, out_dim), t->quant, with_value ? "PADV2" : "PAD", first,
             with_value ? " %1" : "", first + 1, first, hex32(hex, paddings, 2 * rank));
    OpCase *c = op_case_open(with_value ? 2 : 1, (uint32_t)first + 1, text);
    uint8_t *in = random_bytes(seed, (size_t)count_of(rank, dim) * t->size), *value = random_bytes(seed, t->size);
    uint8_t *out = op_case_run(c, (const void *const[]){in, value});
    for (int32_t i = 0; i < count_of(rank, out_dim); i++) {
        int32_t at[6], offset = 0;
        bool inside = true;
        coordinates(i, rank, out_dim, at);
        for (int32_t d = 0; d < rank; d++) {
            int32_t k = at[d] - paddings[2 * d];
            inside = inside && k >= 0 && k < dim[d];
            offset = offset * dim[d] + k;
        }
        const uint8_t *want = inside ? in + (size_t)offset * t->size : with_value ? value : t->fill;
        assert_memory_equal(out + (size_t)i * t->size, want, t->size);
    }
    free(in), free(value), free(out);
    op_case_close(c);
}

static void padding(void **state)
{
    (void)state;
    uint32_t seed = 11;
    for (int i = 0; i < 120; i++)
        pad_case(&types[i % N_TYPES], i / N_TYPES % 2, &seed);
}

static void concatenation_case(const Type *t, uint32_t *seed)
{
    const int32_t rank = random_between(seed, 1, 6), axis = random_between(seed, 0, rank - 1),
                  n = random_between(seed, 1, 5);
    int32_t dim[6], extent[5], total = 0;
    for (int32_t d = 0; d < rank; d++)
        dim[d] = random_between(seed, 1, 3);
    char text[2048] = "", shape[64], operands[64] = "";
    uint8_t *in[5];
    for (int32_t i = 0; i < n; i++) {
        extent[i] = dim[axis] = random_between(seed, 1, 4);
        total += extent[i];
        sprintf(text + strlen(text), "tensor %%%d %s%s \"x\"%s\n", i, t->text, shape_text(shape, rank, dim), t->quant);
        sprintf(operands + strlen(operands), "%s%%%d", i ? " " : "", i);
        in[i] = random_bytes(seed, (size_t)count_of(rank, dim) * t->size);
    }
    dim[axis] = total;
    sprintf(text + strlen(text), "tensor %%%d %s%s \"y\"%s\nop 0 CONCATENATION (%s) -> (%%%d) {axis=%d}\n", n, t->text,
            shape_text(shape, rank, dim), t->quant, operands, n, random_between(seed, 0, 1) ? axis : axis - rank);
    OpCase *c = op_case_open((uint32_t)n, (uint32_t)n, text);
    uint8_t *out = op_case_run(c, (const void *const *)in);
    for (int32_t i = 0; i < count_of(rank, dim); i++) {
        int32_t at[6], source = 0, offset = 0;
        coordinates(i, rank, dim, at);
        while (at[axis] >= extent[source])
            at[axis] -= extent[source++];
        for (int32_t d = 0; d < rank; d++)
            offset = offset * (d == axis ? extent[source] : dim[d]) + at[d];
        assert_memory_equal(out + (size_t)i * t->size, in[source] + (size_t)offset * t->size, t->size);
    }
    for (int32_t i = 0; i < n; i++)
        free(in[i]);
    free(out);
    op_case_close(c);
}

static void concatenation(void **state)
{
    (void)state;
    uint32_t seed = 13;
    for (int i = 0; i < 120; i++)
        concatenation_case(&types[i % N_TYPES], &seed);
}

/* The shape operand wins over the option, one dimension may be -1, an open output gets its shape. */
static void reshape(void **state)
{
    (void)state;
    OpCase *c = op_case_open(1, 2,
                             "tensor %0 s8[2x3x4] \"x\" q 0.5:0\ntensor %1 s32[2] \"shape\" const 8\n"
                             "tensor %2 s8[6x4] \"y\" q 0.5:0\n"
                             "op 0 RESHAPE (%0 %1) -> (%2) {new_shape=[1,2,3]}\ndata %1 06000000ffffffff\n");
    uint8_t in[24];
    for (uint8_t i = 0; i < 24; i++)
        in[i] = i;
    uint8_t *out = op_case_run(c, (const void *const[]){in});
    assert_memory_equal(out, in, sizeof(in));
    free(out);
    op_case_close(c);

    c = op_case_open(
        1, 1,
        "tensor %0 f32[2x3] \"x\"\ntensor %1 f32[1x6] \"y\" open\nop 0 RESHAPE (%0) -> (%1) {new_shape=[3,-1,1]}\n");
    assert_true(c->resolved);
    assert_int_equal(c->node->out[0]->rank, 3);
    assert_int_equal(c->node->out[0]->dim[1], 2);
    op_case_close(c);
}

static void refused(void **state)
{
    (void)state;
    static const char reshape_head[] =
        "tensor %0 f32[2x3] \"x\"\ntensor %1 f32[6] \"y\"\nop 0 RESHAPE (%0) -> (%1) {new_shape=";
    static const struct {
        const char *shape, *why;
    } shapes[] = {{"[5]", "6 elements and the new shape 5"},
                  {"[-1,-1]", "-1 once"},
                  {"[-1,4]", "do not divide"},
                  {"[-1,0]", "do not divide"},
                  {"[-2]", "dimension 0"},
                  {"[2147483647,2147483647]", "more elements"},
                  {"[3,2]", "inputs and options give [3x2]"}};
    char text[512];
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        snprintf(text, sizeof(text), "%s%s}\n", reshape_head, shapes[i].shape);
        op_case_refused(1, 1, text, shapes[i].why);
    }
    op_case_refused(2, 2,
                    "tensor %0 f32[2x3] \"x\"\ntensor %1 s32[1] \"shape\"\ntensor %2 f32[6] \"y\"\nop 0 RESHAPE (%0 "
                    "%1) -> (%2) {}\n",
                    "must be a constant");
    op_case_refused(
        1, 2,
        "tensor %0 f32[2] \"x\"\ntensor %1 s32[1x2] \"p\" const 8\ntensor %2 f32[3] \"y\"\nop 0 PAD (%0 %1) -> (%2)\n"
        "data %1 ffffffff02000000\n",
        "is -1; supported");
    op_case_refused(
        1, 2,
        "tensor %0 f32[2x1] \"x\"\ntensor %1 s32[1x2] \"p\" const 8\ntensor %2 f32[3] \"y\"\nop 0 PAD (%0 %1) -> (%2)\n"
        "data %1 0000000001000000\n",
        "two a dimension");
    op_case_refused(2, 2,
                    "tensor %0 s8[2] \"a\" q 0.5:0\ntensor %1 s8[2] \"b\" q 0.25:0\ntensor %2 s8[4] \"y\" q 0.5:0\n"
                    "op 0 CONCATENATION (%0 %1) -> (%2) {axis=0}\n",
                    "same quantisation");
    op_case_refused(2, 2,
                    "tensor %0 f32[2x3] \"a\"\ntensor %1 f32[3x2] \"b\"\ntensor %2 f32[5x3] \"y\"\n"
                    "op 0 CONCATENATION (%0 %1) -> (%2) {axis=0}\n",
                    "may differ in dimension 0 only");
    op_case_refused(2, 2,
                    "tensor %0 f32[2] \"a\"\ntensor %1 f32[2] \"b\"\ntensor %2 f32[4] \"y\"\n"
                    "op 0 CONCATENATION (%0 %1) -> (%2) {axis=1}\n",
                    "axis 1 is outside");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padding),
        cmocka_unit_test(concatenation),
        cmocka_unit_test(reshape),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
