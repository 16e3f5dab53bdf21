/* What the tests of the graph's memory share: graphs made by hand, a board, and a plan that is checked. */
#ifndef PLAN_FIXTURE_H
#define PLAN_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "plan/plan.h"

static HeliaArena *arena;
static HeliaDiag *diag;
static char messages[8192];
static AirGraph *g;
static Config config;
static Platform platform;

static const HeliaOpClass plain = {.type = "PLAIN"}, view = {.type = "VIEW", .traits = HELIA_OP_VIEW},
                          inplace = {.type = "INPLACE", .traits = HELIA_OP_INPLACE};

static inline void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strlen(messages) + strlen(text) + 2 < sizeof(messages)) {
        strcat(messages, text);
        strcat(messages, "\n");
    }
}

static inline int fresh(void **state)
{
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 0);
    messages[0] = '\0';
    AirModel *model = HELIA_NEW(arena, AirModel);
    model->arena = arena;
    model->diag = diag;
    model->file = "model.tflite";
    g = HELIA_NEW(arena, AirGraph);
    g->model = model;
    g->name = "main";
    config = (Config){0};
    config.memory.planner = "optimal";
    platform = (Platform){.name = "board", .preferred = {MEMORY_DTCM, MEMORY_SRAM, MEMORY_MRAM}, .n_preferred = 3};
    platform.size[MEMORY_DTCM] = 4096;
    platform.size[MEMORY_SRAM] = 8192;
    platform.size[MEMORY_MRAM] = 65536;
    platform.min_alignment = 16;
    return 0;
}

static inline int finish(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

/* ---- building --------------------------------------------------------------------------------- */
static inline AirTensor *tensor(const char *name, int32_t bytes)
{
    return air_tensor_new(g, name, AIR_S8, 1, &bytes);
}

static inline AirTensor *constant(const char *name, int32_t bytes, int fill)
{
    char *data = helia_alloc(arena, (size_t)bytes, 1);
    memset(data, fill, (size_t)bytes);
    return air_constant_new(g, name, AIR_S8, 1, &bytes, data);
}

static inline AirNode *node(const HeliaOpClass *op, AirTensor *a, AirTensor *b, AirTensor *out)
{
    AirNode *n = air_node_new(g, op->type, b ? 2 : 1, 1);
    n->op = op;
    n->cname = helia_format(arena, "op_%u", g->nodes.len);
    n->in[0] = a;
    if (b)
        n->in[1] = b;
    n->out[0] = out;
    HELIA_PUSH(arena, &g->nodes, n);
    return n;
}

static inline AirTensor *input(const char *name, int32_t bytes)
{
    AirTensor *t = tensor(name, bytes);
    HELIA_PUSH(arena, &g->inputs, t);
    return t;
}

static inline void output(AirTensor *t)
{
    HELIA_PUSH(arena, &g->outputs, t);
}

/* ---- looking ---------------------------------------------------------------------------------- */
static inline bool overlap(const MemorySlot *a, const MemorySlot *b)
{
    return a->region >= 0 && a->region == b->region && a->first <= b->last && b->first <= a->last &&
           a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

/* What must hold for every plan: storages that live together are apart, aligned, and inside their region. */
static inline const MemoryPlan *plan(void)
{
    const MemoryPlan *p = plan_memory(arena, g, &platform, &config);
    if (!p)
        return NULL;
    uint32_t n = 0;
    const MemorySlot **slots = HELIA_NEW_N(arena, const MemorySlot *, g->tensors.len + g->nodes.len);
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (p->tensors[i].root == i)
            slots[n++] = &p->tensors[i];
    for (uint32_t i = 0; i < g->nodes.len; i++)
        slots[n++] = &p->scratch[i];
    uint64_t sum[NUM_MEMORIES] = {0};
    for (uint32_t r = 0; r < p->regions.len; r++)
        sum[p->regions.at[r].memory] += p->regions.at[r].size;
    for (int memory = 0; memory < NUM_MEMORIES; memory++)
        assert_true(sum[memory] <= platform.size[memory]);
    for (uint32_t i = 0; i < n; i++) {
        if (slots[i]->region < 0)
            continue;
        const MemoryRegion *r = &p->regions.at[slots[i]->region];
        assert_true(r->align >= 16 && r->align >= platform.min_alignment && slots[i]->offset % r->align == 0);
        assert_true(slots[i]->offset + slots[i]->size <= r->size);
        for (uint32_t k = 0; k < i; k++)
            assert_false(overlap(slots[i], slots[k]));
    }
    return p;
}

static inline const MemorySlot *slot(const MemoryPlan *p, const AirTensor *t)
{
    return &p->tensors[t->id];
}

static inline bool same_place(const MemoryPlan *p, const AirTensor *a, const AirTensor *b)
{
    return slot(p, a)->region >= 0 && slot(p, a)->region == slot(p, b)->region &&
           slot(p, a)->offset == slot(p, b)->offset;
}

static inline size_t region_size(const MemoryPlan *p, MemoryRole role, MemoryType memory)
{
    for (uint32_t i = 0; i < p->regions.len; i++)
        if (p->regions.at[i].role == role && p->regions.at[i].memory == memory)
            return p->regions.at[i].size;
    return 0;
}

static inline size_t activations(const MemoryPlan *p)
{
    return region_size(p, ROLE_SCRATCH, MEMORY_DTCM);
}

static inline void expect(const char *message)
{
    if (!strstr(messages, message))
        fail_msg("expected \"%s\" in:\n%s", message, messages);
}

#endif
