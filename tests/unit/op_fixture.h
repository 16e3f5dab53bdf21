/* One operator, written as AIR text, resolved with the portable kernels and evaluated on buffers of exactly its size.
 * Every run is made twice over different poison: what an operator does not write would show. */
#ifndef OP_FIXTURE_H
#define OP_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include <helia_aot/registry.h>

#include "op/resolve.h"

typedef struct OpCase {
    HeliaArena *arena;
    HeliaDiag *diag;
    AirModel *model;
    AirNode *node; /* NULL where the text was not read */
    bool resolved;
    char log[4096];
} OpCase;

static inline void op_case_log(void *user, HeliaSeverity severity, const char *text)
{
    OpCase *c = user;
    (void)severity;
    strncat(c->log, text, sizeof(c->log) - strlen(c->log) - 2);
    strcat(c->log, "\n");
}

/* For operators of a plug-in: the function that registers them. */
static HeliaCustomizer op_case_customizer;

/* `text` has the lines of tensors, the operator and the constants' data; tensors 0 to n_in - 1 are the graph's inputs
 * and tensor `out` its output. */
static inline OpCase *op_case_open(uint32_t n_in, uint32_t out, const char *text)
{
    static const HeliaTarget target = {.platform = "host", .cpu = "host", .isa = HELIA_ISA_C, .min_alignment = 16};
    OpCase *c = calloc(1, sizeof(*c));
    c->arena = helia_arena_new(NULL);
    c->diag = helia_diag_new(c->arena, op_case_log, c, 1);
    HeliaRegistryContext *registry = helia_build_default_registry_context(
        c->arena, c->diag, &op_case_customizer, (void *[]){NULL}, op_case_customizer ? 1 : 0, false);
    const char *inputs = "";
    for (uint32_t i = 0; i < n_in; i++)
        inputs = helia_format(c->arena, "%s%s%%%u \"in%u\"", inputs, i ? " " : "", i, i);
    const char *whole = helia_format(
        c->arena, "model \"case\" version 3\ngraph 0 \"main\" inputs (%s) outputs (%%%u \"out\")\n%s", inputs, out,
        text);
    c->model = air_read(c->arena, c->diag, registry, "case.air", whole);
    if (!c->model)
        return c;
    c->node = c->model->main->nodes.at[0];
    HeliaOpContext context = {c->model->main, c->arena, c->diag, &target};
    c->resolved = resolve_graph(&context, registry);
    return c;
}

static inline void op_case_close(OpCase *c)
{
    helia_arena_free(c->arena);
    free(c);
}

/* A refused case, and that the message says `why`. */
static inline void op_case_refused(uint32_t n_in, uint32_t out, const char *text, const char *why)
{
    OpCase *c = op_case_open(n_in, out, text);
    assert_non_null(c->node);
    assert_false(c->resolved);
    if (!strstr(c->log, why))
        fail_msg("expected \"%s\", the message is \"%s\"", why, c->log);
    op_case_close(c);
}

static inline uint8_t *op_case_once(OpCase *c, const void *const *in, int poison)
{
    AirGraph *g = c->model->main;
    void **data = calloc(g->tensors.len, sizeof(*data));
    const AirTensor *out = c->node->out[0];
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        size_t n = air_bytes(t);
        data[i] = malloc(n ? n : 1);
        memset(data[i], poison, n);
        if (t->data)
            memcpy(data[i], t->data, n);
    }
    for (uint32_t i = 0; i < g->inputs.len; i++)
        memcpy(data[g->inputs.at[i]->id], in[i], air_bytes(g->inputs.at[i]));
    void *scratch = malloc(c->node->scratch + 1);
    memset(scratch, poison, c->node->scratch);
    HeliaEval v = {g, c->diag, data, scratch};
    assert_true(c->node->op->eval(&v, c->node));
    for (uint32_t i = 0; i < g->inputs.len; i++)
        assert_memory_equal(data[g->inputs.at[i]->id], in[i], air_bytes(g->inputs.at[i]));
    uint8_t *result = data[out->id];
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (i != out->id)
            free(data[i]);
    free(data);
    free(scratch);
    return result;
}

/* The output's bytes, to be freed. in[i]: the bytes of graph input i. */
static inline void *op_case_run(OpCase *c, const void *const *in)
{
    if (!c->resolved)
        fail_msg("%s", c->log);
    uint8_t *first = op_case_once(c, in, 0xa5), *second = op_case_once(c, in, 0x5a);
    assert_memory_equal(first, second, air_bytes(c->node->out[0]));
    free(second);
    return first;
}

/* ---- data ------------------------------------------------------------------------------------- */
/* The same numbers on every machine. */
static inline uint32_t random_u32(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static inline int32_t random_between(uint32_t *seed, int32_t lo, int32_t hi)
{
    return lo + (int32_t)(random_u32(seed) % (uint32_t)(hi - lo + 1));
}

/* "[2x3]" */
static inline const char *shape_text(char *text, int32_t rank, const int32_t *dim)
{
    char *at = text;
    *at++ = '[';
    for (int32_t i = 0; i < rank; i++)
        at += sprintf(at, "%s%d", i ? "x" : "", dim[i]);
    strcpy(at, "]");
    return text;
}

static inline int32_t count_of(int32_t rank, const int32_t *dim)
{
    int32_t n = 1;
    for (int32_t i = 0; i < rank; i++)
        n *= dim[i];
    return n;
}

/* Row-major position to coordinates. */
static inline void coordinates(int32_t at, int32_t rank, const int32_t *dim, int32_t *coordinate)
{
    for (int32_t d = rank - 1; d >= 0; d--) {
        coordinate[d] = at % dim[d];
        at /= dim[d];
    }
}

/* int32 constants as a `data` line's hexadecimal digits. */
static inline const char *hex32(char *text, const int32_t *values, int32_t n)
{
    char *at = text;
    for (int32_t i = 0; i < n; i++)
        for (int b = 0; b < 4; b++)
            at += sprintf(at, "%02x", (unsigned)((uint32_t)values[i] >> 8 * b & 255u));
    *at = 0;
    return text;
}

#endif
