/* TRANSPOSE, STRIDED_SLICE and SLICE: every element's place against the definition; CAST and DIV at the ends of the
 * types. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "op_fixture.h"

enum { RANK = 5 };

static const char *const type_text[] = {"bool", "s16", "f32", "s64"}; /* 1, 2, 4 and 8 bytes */

/* The element at out_at is the input's element at the sum of offset[d] + coordinate * step[d]. */
static void check_places(OpCase *c, size_t size, int32_t count, int32_t rank, const int32_t *out_dim, int64_t offset,
                         const int64_t *step)
{
    uint8_t *in = malloc((size_t)count * size + 1);
    uint32_t seed = 7;
    for (size_t i = 0; i < (size_t)count * size; i++)
        in[i] = (uint8_t)random_u32(&seed);
    uint8_t *out = op_case_run(c, (const void *const[]){in});
    for (int32_t i = 0; i < count_of(rank, out_dim); i++) {
        int32_t at[RANK];
        int64_t from = offset;
        coordinates(i, rank, out_dim, at);
        for (int32_t d = 0; d < rank; d++)
            from += at[d] * step[d];
        assert_memory_equal(out + (size_t)i * size, in + (size_t)from * size, size);
    }
    free(in);
    free(out);
    op_case_close(c);
}

static void transpose(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 200; i++) {
        const int32_t rank = random_between(&seed, 1, RANK), type = i % 4;
        int32_t dim[RANK], out_dim[RANK], perm[RANK];
        int64_t step[RANK];
        for (int32_t d = 0; d < rank; d++) {
            int32_t k = random_between(&seed, 0, d);
            dim[d] = random_between(&seed, 1, 4);
            perm[d] = perm[k];
            perm[k] = d;
        }
        for (int32_t d = 0; d < rank; d++) {
            out_dim[d] = dim[perm[d]];
            step[d] = count_of(rank - perm[d] - 1, dim + perm[d] + 1);
        }
        char text[1024], a[64], b[64], hex[128];
        snprintf(text, sizeof(text),
                 "tensor %%0 %s%s \"x\"%s\ntensor %%1 s32[%d] \"p\" const %d\ntensor %%2 %s%s \"y\"%s\n"
                 "op 0 TRANSPOSE (%%0 %%1) -> (%%2)\ndata %%1 %s\n",
                 type_text[type], shape_text(a, rank, dim), type == 1 ? " q 0.5:0" : "", rank, 4 * rank,
                 type_text[type], shape_text(b, rank, out_dim), type == 1 ? " q 0.5:0" : "", hex32(hex, perm, rank));
        check_places(op_case_open(1, 2, text), (size_t)1 << type, count_of(rank, dim), rank, out_dim, 0, step);
    }
}

/* Bounds within the input, given from its beginning or its end; negative strides too. */
static void strided_slice(void **state)
{
    (void)state;
    uint32_t seed = 2;
    for (int i = 0; i < 200; i++) {
        const int32_t rank = random_between(&seed, 1, RANK), type = i % 4;
        int32_t dim[RANK], out_dim[RANK], begin[RANK], end[RANK], stride[RANK], end_mask = 0;
        int64_t step[RANK], offset = 0;
        for (int32_t d = 0; d < rank; d++)
            dim[d] = random_between(&seed, 1, 4);
        for (int32_t d = 0; d < rank; d++) {
            const int32_t inner = count_of(rank - d - 1, dim + d + 1), first = random_between(&seed, 0, dim[d] - 1);
            stride[d] = random_between(&seed, 1, 3) * (random_between(&seed, 0, 1) ? 1 : -1);
            out_dim[d] = 1 + (stride[d] > 0 ? dim[d] - 1 - first : first) / (stride[d] > 0 ? stride[d] : -stride[d]);
            begin[d] = random_between(&seed, 0, 1) ? first : first - dim[d];
            end[d] = stride[d] > 0 ? dim[d] + 3 : -dim[d] - 3; /* clamped to the edge */
            if (random_between(&seed, 0, 1))
                end_mask |= 1 << d, end[d] = 0;
            step[d] = (int64_t)stride[d] * inner;
            offset += (int64_t)first * inner;
        }
        char text[2048], a[64], b[64], hex[3][128];
        snprintf(text, sizeof(text),
                 "tensor %%0 %s%s \"x\"%s\ntensor %%1 s32[%d] \"b\" const %d\ntensor %%2 s32[%d] \"e\" const %d\n"
                 "tensor %%3 s32[%d] \"s\" const %d\ntensor %%4 %s%s \"y\"%s\n"
                 "op 0 STRIDED_SLICE (%%0 %%1 %%2 %%3) -> (%%4) {end_mask=%d}\ndata %%1 %s\ndata %%2 %s\ndata %%3 %s\n",
                 type_text[type], shape_text(a, rank, dim), type == 1 ? " q 0.5:0" : "", rank, 4 * rank, rank, 4 * rank,
                 rank, 4 * rank, type_text[type], shape_text(b, rank, out_dim), type == 1 ? " q 0.5:0" : "", end_mask,
                 hex32(hex[0], begin, rank), hex32(hex[1], end, rank), hex32(hex[2], stride, rank));
        check_places(op_case_open(1, 4, text), (size_t)1 << type, count_of(rank, dim), rank, out_dim, offset, step);
    }
}

/* What keeps the order of all elements needs no code. */
static void whole(void **state)
{
    (void)state;
    OpCase *c = op_case_open(1, 2,
                             "tensor %0 f32[2x1x3] \"x\"\ntensor %1 s32[3] \"p\" const 12\ntensor %2 f32[1x2x3] \"y\"\n"
                             "op 0 TRANSPOSE (%0 %1) -> (%2)\ndata %1 010000000000000002000000\n");
    assert_true(c->resolved);
    assert_true(c->node->op->traits & HELIA_OP_VIEW);
    op_case_close(c);
    c = op_case_open(1, 4,
                     "tensor %0 f32[4] \"x\"\ntensor %1 s32[1] \"b\" const 4\ntensor %2 s32[1] \"e\" const 4\n"
                     "tensor %3 s32[1] \"s\" const 4\ntensor %4 f32[4] \"y\"\n"
                     "op 0 STRIDED_SLICE (%0 %1 %2 %3) -> (%4) {begin_mask=1 end_mask=1}\n"
                     "data %1 00000000\ndata %2 04000000\ndata %3 ffffffff\n");
    assert_true(c->resolved);
    assert_false(c->node->op->traits & HELIA_OP_VIEW); /* backwards */
    op_case_close(c);
}

static void refused(void **state)
{
    (void)state;
    op_case_refused(1, 2,
                    "tensor %0 f32[2x3] \"x\"\ntensor %1 s32[2] \"p\" const 8\ntensor %2 f32[2x3] \"y\"\n"
                    "op 0 TRANSPOSE (%0 %1) -> (%2)\ndata %1 0000000000000000\n",
                    "twice");
    op_case_refused(1, 4,
                    "tensor %0 f32[4] \"x\"\ntensor %1 s32[1] \"b\" const 4\ntensor %2 s32[1] \"e\" const 4\n"
                    "tensor %3 s32[1] \"s\" const 4\ntensor %4 f32[4] \"y\"\n"
                    "op 0 STRIDED_SLICE (%0 %1 %2 %3) -> (%4)\ndata %1 00000000\ndata %2 04000000\ndata %3 00000000\n",
                    "stride 0 is 0");
    op_case_refused(1, 3,
                    "tensor %0 f32[4] \"x\"\ntensor %1 s32[1] \"b\" const 4\ntensor %2 s32[1] \"e\" const 4\n"
                    "tensor %3 f32[4] \"y\"\nop 0 SLICE (%0 %1 %2) -> (%3)\ndata %1 02000000\ndata %2 03000000\n",
                    "must lie within 4");
}

static void cast_saturates(void **state)
{
    (void)state;
    const float x[8] = {NAN, INFINITY, -INFINITY, 2147483648.0f, -2147483648.0f, -0.9f, 127.9f, -128.9f};
    const int32_t wide[8] = {0, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 0, 127, -128};
    const int8_t narrow[8] = {0, 127, -128, 127, -128, 0, 127, -128};
    OpCase *c = op_case_open(1, 1, "tensor %0 f32[8] \"x\"\ntensor %1 s32[8] \"y\"\nop 0 CAST (%0) -> (%1)\n");
    void *out = op_case_run(c, (const void *const[]){x});
    assert_memory_equal(out, wide, sizeof(wide));
    free(out);
    op_case_close(c);
    c = op_case_open(1, 1, "tensor %0 f32[8] \"x\"\ntensor %1 s8[8] \"y\"\nop 0 CAST (%0) -> (%1)\n");
    out = op_case_run(c, (const void *const[]){x});
    assert_memory_equal(out, narrow, sizeof(narrow));
    free(out);
    op_case_close(c);
}

static void div_ends(void **state)
{
    (void)state;
    const int32_t x[4] = {7, INT32_MIN, -7, 5}, y[4] = {0, -1, 2, -3}, quotient[4] = {0, INT32_MIN, -3, -1};
    OpCase *c = op_case_open(2, 2,
                             "tensor %0 s32[4] \"x\"\ntensor %1 s32[4] \"y\"\ntensor %2 s32[4] \"z\"\n"
                             "op 0 DIV (%0 %1) -> (%2)\n");
    void *out = op_case_run(c, (const void *const[]){x, y});
    assert_memory_equal(out, quotient, sizeof(quotient));
    free(out);
    op_case_close(c);
    /* int8, scales 1: the quotient of small numbers is near its value; by 0 it is the limit. */
    const int8_t a[5] = {100, 1, 0, 3, -3}, b[5] = {5, 100, 9, 0, 0}, near[5] = {20, 0, 0, 127, -128};
    c = op_case_open(2, 2,
                     "tensor %0 s8[5] \"x\" q 1:0\ntensor %1 s8[5] \"y\" q 1:0\ntensor %2 s8[5] \"z\" q 1:0\n"
                     "op 0 DIV (%0 %1) -> (%2)\n");
    out = op_case_run(c, (const void *const[]){a, b});
    assert_memory_equal(out, near, sizeof(near));
    free(out);
    op_case_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transpose), cmocka_unit_test(strided_slice), cmocka_unit_test(whole),
        cmocka_unit_test(refused),   cmocka_unit_test(div_ends),      cmocka_unit_test(cast_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
