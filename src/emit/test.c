/* The test handler: <p>_test_case.h and .c, and a program that runs the test on a host. */
#include "emit/emit_int.h"

#include <string.h>

#include "support/file.h"

/* An array that has been written, so that equal ones are written once. */
typedef struct Written {
    const void *bytes;
    size_t size;
    uint32_t crc;
    const char *name;
} Written;

typedef struct TestEmit {
    HeliaEmitter *e;
    const TestCase *t;
    HeliaOut *data;
    HELIA_VEC(Written) written;
    uint32_t n_in, n_out;
} TestEmit;

/* "NULL" where there are no bytes to name. */
static const char *array_name(TestEmit *x, const char *kind, uint32_t iteration, uint32_t i, const AirTensor *t,
                              const void *bytes)
{
    if (!bytes)
        return "NULL";
    const size_t size = air_bytes(t);
    const uint32_t crc = crc32_bytes(bytes, size);
    for (uint32_t k = 0; k < x->written.len; k++) {
        const Written *w = &x->written.at[k];
        if (w->bytes == bytes || (w->size == size && w->crc == crc && memcmp(w->bytes, bytes, size) == 0))
            return w->name;
    }
    const char *name = helia_format(x->e->arena, "%s%u_%u", kind, i, iteration);
    helia_out_line(x->data, "static const uint8_t %s[%zu] = { /* \"%s\" %s %s */", name, size ? size : 1,
                   comment_text(x->e->arena, t->name), air_type_doc(t->type), air_shape_text(x->e->arena, t));
    if (size)
        emit_bytes(x->data, bytes, size);
    else
        helia_out_line(x->data, "    0");
    helia_out_line(x->data, "};");
    HELIA_PUSH(x->e->arena, &x->written, ((Written){bytes, size, crc, name}));
    return name;
}

/* "{{input0_0}, {output0_0}, {0.0f}}" */
static const char *row(TestEmit *x, uint32_t k)
{
    HeliaArena *arena = x->e->arena;
    const char *inputs = x->n_in ? "" : "NULL", *outputs = "", *allowed = "";
    for (uint32_t i = 0; i < x->n_in; i++)
        inputs = helia_format(arena, "%s%s%s", inputs, i ? ", " : "",
                              array_name(x, "input", k, i, x->e->inputs[i].tensor, x->t->inputs[k * x->n_in + i]));
    if (!x->t->source)
        return helia_format(arena, "    {{%s}}", inputs);
    for (uint32_t i = 0; i < x->n_out; i++) {
        outputs = helia_format(arena, "%s%s%s", outputs, i ? ", " : "",
                               array_name(x, "output", k, i, x->e->outputs[i].tensor, x->t->outputs[k * x->n_out + i]));
        allowed = helia_format(arena, "%s%s%s", allowed, i ? ", " : "",
                               helia_float_text(arena, (float)x->t->float_allowed[k * x->n_out + i]));
    }
    return helia_format(arena, "    {{%s}, {%s}, {%s}}", inputs, outputs, allowed);
}

static const char *rows_block(TestEmit *x)
{
    HeliaOut *o = helia_out_new(x->e->arena);
    for (uint32_t k = 0; k < x->t->iterations; k++)
        helia_out_line(o, "%s%s", row(x, k), k + 1 < x->t->iterations ? "," : "");
    return helia_out_string(o, NULL);
}

/* Where in `carried` what goes to the input is; the bytes of all of it for an input that is none. */
static size_t carried_offset(const TestEmit *x, uint32_t input)
{
    size_t at = 0;
    for (uint32_t i = 0; i < x->t->feedback.len && x->t->feedback.at[i].input != input; i++)
        at += air_bytes(x->e->graph->inputs.at[x->t->feedback.at[i].input]);
    return at;
}

static const char *feed_block(TestEmit *x)
{
    HeliaOut *o = helia_out_new(x->e->arena);
    for (uint32_t i = 0; i < x->n_in; i++) {
        const size_t size = air_bytes(x->e->inputs[i].tensor);
        const char *from = helia_format(x->e->arena, "it->inputs[%u]", i);
        if (x->t->fed_back[i])
            from = helia_format(x->e->arena, "%s != NULL ? %s : carried + %zuu", from, from, carried_offset(x, i));
        helia_out_line(o, "    memcpy(ctx->inputs[%u].data, %s, %zuu);", i, from, size);
    }
    if (!x->n_in)
        helia_out_line(o, "    (void)it;");
    return helia_out_string(o, NULL);
}

static const char *check_block(TestEmit *x)
{
    HeliaOut *o = helia_out_new(x->e->arena);
    for (uint32_t i = 0; x->t->source && i < x->n_out; i++) {
        helia_out_line(o, "    status = compare(&ctx->outputs[%u], %uu, it);", i, i);
        helia_out_line(o, "    if (status != %s_STATUS_OK)", x->e->PREFIX);
        helia_out_line(o, "        return status;");
    }
    return helia_out_string(o, NULL);
}

static const char *carry_block(TestEmit *x)
{
    HeliaOut *o = helia_out_new(x->e->arena);
    for (uint32_t i = 0; i < x->t->feedback.len; i++) {
        const TestFeedback *f = &x->t->feedback.at[i];
        helia_out_line(o, "    memcpy(carried + %zuu, ctx->outputs[%u].data, %zuu);", carried_offset(x, f->input),
                       f->output, air_bytes(x->e->outputs[f->output].tensor));
    }
    return helia_out_string(o, NULL);
}

static const char *source_text(const TestEmit *x)
{
    const TestCase *t = x->t;
    HeliaArena *arena = x->e->arena;
    if (!t->source)
        return "The self-test. It runs the model and compares nothing (test.skip_verification).";
    const char *text = helia_format(arena,
                                    "The self-test. It expects the outputs of %s.\n * Allowed: a difference of %llu of "
                                    "integers, of %.9g of the largest magnitude of floats.",
                                    t->source, (unsigned long long)t->allowed, x->e->config->test.float_tolerance);
    return t->allowance ? helia_format(arena, "%s\n * Of it documented: %s.", text, comment_text(arena, t->allowance))
                        : text;
}

static bool emit_source(TestEmit *x)
{
    HeliaEmitter *e = x->e;
    const TestCase *t = x->t;
    const TemplateKey compare[] = {{"p", e->prefix},
                                   {"P", e->PREFIX},
                                   {"ALLOWED", helia_format(e->arena, "%llu", (unsigned long long)t->allowed)}};
    const char *functions = t->source ? template_expand(e->arena, e->diag, "test_compare.c.in", compare, 3) : "";
    if (!functions)
        return false;
    const char *fields = helia_format(
        e->arena, "    const uint8_t *outputs[%u];\n    float allowed[%u]; /* of float outputs */\n", x->n_out,
        x->n_out);
    const char *carried = helia_format(
        e->arena,
        "/* Outputs on their way to inputs: both may lie in the same memory. */\nstatic uint8_t carried[%zu];\n\n",
        carried_offset(x, UINT32_MAX));
    const char *notice = helia_format(e->arena,
                                      "    %s_PRINTF(\"%s: outputs are not compared (test.skip_verification)\\n\");\n",
                                      e->PREFIX, e->prefix);
    const char *rows = rows_block(x);
    const TemplateKey keys[] = {
        {"SOURCE", source_text(x)},
        {"DATA", helia_out_string(x->data, NULL)},
        {"NUM_INPUTS", helia_format(e->arena, "%u", x->n_in ? x->n_in : 1)},
        {"FIELDS", t->source ? fields : ""},
        {"ITERATIONS", helia_format(e->arena, "%u", t->iterations)},
        {"ROWS", rows},
        {"COMPARE", functions},
        {"FEEDBACK", t->feedback.len ? carried : ""},
        {"FEED", feed_block(x)},
        {"CHECK", check_block(x)},
        {"CARRY", carry_block(x)},
        {"NOTICE", t->source ? "" : notice},
    };
    return emit_template(e, helia_format(e->arena, "src/%s_test_case.c", e->prefix), "test_case.c.in", keys,
                         sizeof(keys) / sizeof(keys[0]));
}

static bool emit_host_program(HeliaEmitter *e)
{
    HeliaOut *arenas = helia_out_new(e->arena);
    const char *bindings = bind_arenas_block(e, arenas);
    const TemplateKey keys[] = {
        {"NAME", e->config->module.name}, {"ARENAS", helia_out_string(arenas, NULL)}, {"BINDINGS", bindings}};
    return emit_template(e, helia_format(e->arena, "test/%s_test_main.c", e->prefix), "test_main.c.in", keys, 3);
}

bool emit_test(HeliaEmitter *e)
{
    if (!e->test)
        return true;
    TestEmit x = {.e = e,
                  .t = e->test,
                  .data = helia_out_new(e->arena),
                  .n_in = e->graph->inputs.len,
                  .n_out = e->graph->outputs.len};
    const TemplateKey header[] = {
        {"TIMES", e->test->iterations == 1 ? "once" : helia_format(e->arena, "%u times", e->test->iterations)},
        {"CHECK", e->test->source ? "compares its outputs with those expected" : "compares nothing"}};
    return emit_template(e, helia_format(e->arena, "includes-api/%s_test_case.h", e->prefix), "test_case.h.in", header,
                         2) &&
           emit_source(&x) && emit_host_program(e);
}
