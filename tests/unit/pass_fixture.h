/* What the tests of transforms share: a graph as AIR text, the text behind a transform, and results before and after. */
#ifndef PASS_FIXTURE_H
#define PASS_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <helia_aot/registry.h>

#include "op/eval.h"
#include "op/resolve.h"

static HeliaArena *arena;
static char messages[4096];

static inline void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    strncat(messages, text, sizeof(messages) - strlen(messages) - 2);
    strcat(messages, "\n");
}

static inline int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    messages[0] = '\0';
    return 0;
}

static inline int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

static const HeliaTarget strict = {.platform = "host", .cpu = "host", .min_alignment = 16},
                         permissive = {
                             .platform = "host", .cpu = "host", .min_alignment = 16, .allow_numeric_changes = true};

typedef struct PassCase {
    HeliaOpContext context;
    HeliaRegistryContext *registry;
    AirModel *model;
} PassCase;

static inline PassCase pass_read(const HeliaTarget *target, const char *text)
{
    HeliaDiag *diag = helia_diag_new(arena, to_messages, NULL, 0);
    PassCase c = {.registry = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false)};
    c.model = air_read(arena, diag, c.registry, "case.air", text);
    if (!c.model)
        fail_msg("%s", messages);
    c.context = (HeliaOpContext){c.model->main, arena, diag, target};
    return c;
}

static inline PassCase transformed(const HeliaTarget *target, const char *name, const char *text)
{
    PassCase c = pass_read(target, text);
    const HeliaTransform *t = helia_registry_get(c.registry->transforms, name);
    assert_non_null(t);
    assert_true(t->run(t, &c.context, c.registry));
    assert_true(air_verify(c.model));
    return c;
}

/* The operators of the graph as AIR text, the lines that begin with "op ". */
static inline const char *operators_text(const PassCase *c)
{
    const char *text = air_print(arena, c->model, c->registry), *out = "";
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, "op ", 3) == 0)
            out = helia_format(arena, "%s%.*s", out, (int)(strchr(line, '\n') + 1 - line), line);
    return out;
}

static inline void expect_operators(const HeliaTarget *target, const char *name, const char *before, const char *after)
{
    const PassCase c = transformed(target, name, before);
    assert_string_equal(operators_text(&c), after);
}

static inline void expect_unchanged(const HeliaTarget *target, const char *name, const char *text)
{
    const PassCase before = pass_read(target, text);
    expect_operators(target, name, text, operators_text(&before));
}

/* Graph input 0's bytes in, graph output 0's bytes out. */
static inline const void *results(PassCase *c, const void *input)
{
    if (!resolve_graph(&c->context, c->registry))
        fail_msg("%s", messages);
    Evaluation *e = evaluation_new(arena, c->model->main);
    assert_non_null(e);
    memcpy(evaluation_input(e, 0), input, air_bytes(c->model->main->inputs.at[0]));
    assert_true(evaluation_run(e));
    return evaluation_output(e, 0);
}

/* The same bits with and without the transform, for bytes of all kinds or, for floats, numbers from -8 to 8. */
static inline void expect_same_bits(const HeliaTarget *target, const char *name, const char *text)
{
    uint32_t seed = 7;
    for (int round = 0; round < 8; round++) {
        PassCase before = pass_read(target, text), after = transformed(target, name, text);
        const AirTensor *in = before.model->main->inputs.at[0], *out = before.model->main->outputs.at[0];
        uint8_t *bytes = helia_alloc(arena, air_bytes(in), 1);
        for (size_t i = 0; i < air_bytes(in); i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = (uint8_t)(seed >> 24);
            if (in->type == AIR_F32 && i % sizeof(float) == 0)
                ((float *)(void *)bytes)[i / sizeof(float)] = ((float)(seed >> 8) / 8388608.0f - 1.0f) * 8.0f;
            if (in->type == AIR_F32)
                i += sizeof(float) - 1;
        }
        const void *expected = results(&before, bytes), *got = results(&after, bytes);
        assert_true(air_same_shape(out, after.model->main->outputs.at[0]));
        assert_memory_equal(got, expected, air_bytes(out));
    }
}

#endif
