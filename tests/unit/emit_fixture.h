/* What the tests of emission share: a small resolved graph and its plan, made by hand, and a folder of their own. */
#ifndef EMIT_FIXTURE_H
#define EMIT_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <helia_aot/emit.h>

#include "emit/module.h"
#include "helia_binary.h"
#include "op/print.h"

static char messages[1 << 16];
static HeliaArena *arena;
static HeliaDiag *diag;
static char folder[64];

static inline void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

static inline int run_command(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int status = system(helia_vformat(arena, fmt, args));
    va_end(args);
    return status;
}

/* Before and after each test. */
static inline int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 0);
    messages[0] = 0;
    strcpy(folder, "/tmp/helia-emit-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int finish(void **state)
{
    (void)state;
    int status = run_command("rm -rf %s", folder);
    helia_arena_free(arena);
    return status;
}

/* ---- classes ---------------------------------------------------------------------------------- */
static inline void print_add(HeliaOut *o, const void *params)
{
    const helia_add_params *p = params;
    print_broadcast(o, "shape", &p->shape);
    PRINT_INT(o, p, zero_a);
    PRINT_INT(o, p, zero_b);
    PRINT_INT(o, p, zero_out);
    PRINT_INT(o, p, shift);
    PRINT_INT(o, p, multiplier_a);
    PRINT_INT(o, p, exponent_a);
    PRINT_INT(o, p, multiplier_b);
    PRINT_INT(o, p, exponent_b);
    PRINT_INT(o, p, multiplier_out);
    PRINT_INT(o, p, exponent_out);
    PRINT_INT(o, p, min);
    PRINT_INT(o, p, max);
}

static inline bool emit_add(HeliaEmitter *e, const AirNode *n)
{
    return helia_emit_kernel_call(e, n, "helia_add_params", print_add);
}

/* Adds a state to its input through scratch, and counts the state up; init counts too. */
static inline bool emit_count(HeliaEmitter *e, const AirNode *n)
{
    HeliaOut *o = helia_emit_operator(e, n);
    if (!o)
        return false;
    const char *p = helia_emit_prefix(e);
    const char *in = helia_emit_tensor(e, n->in[0]), *sum = helia_emit_tensor(e, n->in[1]),
               *out = helia_emit_tensor(e, n->out[0]);
    helia_out_line(o, "int32_t %s_%s_init(%s_model_context_t *ctx)", p, n->cname, p);
    helia_out_line(o, "{");
    helia_out_line(o, "    (void)ctx;");
    helia_out_line(o, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", p, n->cname, p);
    helia_out_line(o, "{");
    helia_out_line(o, "    const int8_t *in = %s;", in);
    helia_out_line(o, "    int8_t *sum = %s, *out = %s, *work = %s;", sum, out, helia_emit_scratch(e, n));
    helia_out_line(o, "    int32_t i;");
    helia_out_line(o, "    for (i = 0; i < 4; i++) {");
    helia_out_line(o, "        work[i] = (int8_t)(in[i] + sum[i]);");
    helia_out_line(o, "        sum[i] = (int8_t)(sum[i] + 1);");
    helia_out_line(o, "    }");
    helia_out_line(o, "    for (i = 0; i < 4; i++)");
    helia_out_line(o, "        out[i] = work[i];");
    helia_out_line(o, "    return in[0] == 100 ? 42 : %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    return true;
}

static const HeliaKernel add_kernel = {
    "helia_add_s8_c", "binary/helia_add_s8_c.c", HELIA_ISA_C, "int8", NULL, NULL, NULL};
static const HeliaOpClass add_class = {.type = "ADD", .kernels = &add_kernel, .n_kernels = 1, .emit = emit_add};
static const HeliaOpClass view_class = {.type = "RESHAPE", .traits = HELIA_OP_VIEW};
static const HeliaOpClass count_class = {.type = "COUNT", .has_init = true, .emit = emit_count};

/* ---- the graph -------------------------------------------------------------------------------- */
typedef struct Sample {
    AirGraph *graph;
    MemoryPlan *plan;
    Config config;
    const Platform *platform;
    const struct TestCase *test; /* NULL: none */
    AirTensor *in, *constant, *mid, *view, *sum, *out;
} Sample;

static inline const AirQuant *make_quant(float scale, int32_t zero)
{
    AirQuant *q = HELIA_NEW(arena, AirQuant);
    *q = (AirQuant){1, helia_memdup(arena, &scale, sizeof(scale)), helia_memdup(arena, &zero, sizeof(zero)), 0};
    return q;
}

static inline AirNode *make_node(AirGraph *g, const HeliaOpClass *op, const char *cname, AirTensor *in0, AirTensor *in1,
                                 AirTensor *out)
{
    AirNode *n = air_node_new(g, op->type, in1 ? 2 : 1, 1);
    n->litert_index = (int32_t)g->nodes.len;
    n->op = op;
    n->cname = cname;
    n->in[0] = in0;
    if (in1)
        n->in[1] = in1;
    n->out[0] = out;
    HELIA_PUSH(arena, &g->nodes, n);
    return n;
}

/* x + 1 with all scales 1: two operands shifted left by 20, halved, and brought back. */
static inline const void *add_params(void)
{
    helia_add_params *p = HELIA_NEW(arena, helia_add_params);
    p->shape.rank = 1;
    p->shape.dim[0] = 4;
    p->shape.stride_a[0] = 1;
    p->shift = 20;
    p->multiplier_a = p->multiplier_b = 1 << 30;
    p->multiplier_out = 1 << 30;
    p->exponent_out = -18;
    p->min = -128;
    p->max = 127;
    return p;
}

static inline void place(Sample *s, const AirTensor *t, int32_t region, size_t offset, uint32_t root)
{
    s->plan->tensors[t->id] = (MemorySlot){region, offset, air_bytes(t), 0, 2, root};
}

static inline void make_plan(Sample *s)
{
    MemoryPlan *p = s->plan = HELIA_NEW(arena, MemoryPlan);
    const MemoryRegion regions[] = {
        {ROLE_SCRATCH, MEMORY_DTCM, 64, 16, 64, true},
        {ROLE_PERSISTENT, MEMORY_DTCM, 16, 16, 0, false},
        {ROLE_CONSTANT, MEMORY_MRAM, 16, 16, 0, false},
    };
    for (uint32_t i = 0; i < 3; i++)
        HELIA_PUSH(arena, &p->regions, regions[i]);
    p->hash = 0x1234abcd;
    p->tensors = HELIA_NEW_N(arena, MemorySlot, s->graph->tensors.len);
    p->scratch = HELIA_NEW_N(arena, MemorySlot, s->graph->nodes.len);
    place(s, s->in, 0, 0, s->in->id);
    place(s, s->constant, 2, 0, s->constant->id);
    place(s, s->mid, 0, 16, s->mid->id);
    place(s, s->view, 0, 16, s->mid->id);
    place(s, s->sum, 1, 0, s->sum->id);
    place(s, s->out, 0, 32, s->out->id);
    p->scratch[0].region = p->scratch[1].region = -1;
    p->scratch[2] = (MemorySlot){0, 48, 4, 2, 2, 0};
}

static inline Sample make_sample(void)
{
    static const int32_t row[] = {1, 4}, square[] = {2, 2}, one[] = {1};
    static const int8_t weight[] = {1};
    Sample s = {0};
    AirModel *model = HELIA_NEW(arena, AirModel);
    AirGraph *g = s.graph = HELIA_NEW(arena, AirGraph);
    model->arena = arena;
    model->diag = diag;
    model->file = "models/sample.tflite";
    model->file_name = "sample.tflite";
    memset(model->sha256, 'a', 64);
    model->description = "A sample";
    model->version = 3;
    model->main = g;
    HELIA_PUSH(arena, &model->graphs, g);
    g->model = model;
    g->name = "main";
    s.in = air_tensor_new(g, "serving_audio:0", AIR_S8, 2, row);
    s.constant = air_constant_new(g, "one */ /* \n ?\?/", AIR_S8, 1, one, weight);
    s.mid = air_tensor_new(g, "mid", AIR_S8, 2, row);
    s.view = air_tensor_new(g, "model_run", AIR_S8, 2, square);
    s.sum = air_tensor_new(g, "sum", AIR_S8, 2, row);
    s.out = air_tensor_new(g, "out", AIR_S8, 2, square);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        g->tensors.at[i]->litert_index = (int32_t)i;
    s.sum->is_variable = true;
    s.in->quant = make_quant(0.5f, -3);
    s.sum->quant = make_quant(0.5f, 5);
    s.out->quant = make_quant(0.25f, 4);
    AirNode *add = make_node(g, &add_class, "add_0", s.in, s.constant, s.mid);
    make_node(g, &view_class, "reshape_1", s.mid, NULL, s.view);
    make_node(g, &count_class, "count_2", s.view, s.sum, s.out)->scratch = 4;
    add->kernel = &add_kernel;
    add->params = add_params();
    air_arg(add, g, s.in, false);
    air_arg(add, g, s.constant, false);
    air_arg(add, g, s.mid, true);
    HELIA_PUSH(arena, &g->inputs, s.in);
    HELIA_PUSH(arena, &g->outputs, s.out);
    static const char *input_names[] = {"audio"}, *output_names[] = {"scores"};
    g->input_names = input_names;
    g->output_names = output_names;
    air_rebuild_uses(g);
    make_plan(&s);
    s.platform = platform_find("cortex-m55");
    const Config *defaults = config_load(arena, diag, NULL, NULL);
    assert_non_null(defaults);
    s.config = *defaults;
    s.config.model.path = "models/sample.tflite";
    s.config.module.path = folder;
    s.config.module.name = "sample";
    s.config.platform.name = "cortex-m55";
    return s;
}

static inline Module *emit_sample(const Sample *s)
{
    return emit_module(arena, s->graph, s->plan, &s->config, s->platform, NULL, s->test, diag);
}

static inline const ModuleFile *find_file(const Module *m, const char *path)
{
    for (uint32_t i = 0; i < m->files.len; i++)
        if (strcmp(m->files.at[i].path, path) == 0)
            return &m->files.at[i];
    return NULL;
}

static inline const char *file_text(const Module *m, const char *path)
{
    const ModuleFile *f = find_file(m, path);
    assert_non_null(f);
    return f->bytes;
}

#endif
