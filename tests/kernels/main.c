/* Compares every kernel variant with the portable one on random layers.
 *
 *     kernels                    the variants that DSP, MVE and x86-64 targets choose, as this machine's compiler builds
 *                                them: by their portable parts, or for its own instructions
 *     kernels --write ISA FILE   the same cases for an image, as C; ISA is m4, m55 or x86
 *
 * The compiler resolves each layer twice: with the portable kernels, which give the expected bytes, and for the target,
 * which gives the kernel, its parameters and its packed constants. Layers for which no variant fits are skipped; a
 * variant that no layer has reached is a failure. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <helia_aot/registry.h>

#include "kernel_case.h"
#include "layers.h"
#include "op/resolve.h"

enum { M4_ISA = HELIA_ISA_DSP | HELIA_ISA_FPU, M55_ISA = M4_ISA | HELIA_ISA_MVE | HELIA_ISA_MVE_FP };
enum { MAX_KERNELS = 64, FEWEST = 10 };

static uint32_t cases[MAX_KERNELS]; /* by the table's index */
static uint32_t passed, failed;

static void log_text(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    if (severity == HELIA_ERROR)
        fprintf(stderr, "%s\n", text);
}

static void fail(const char *symbol, const char *layer, const char *why)
{
    failed++;
    printf("FAIL kernels %s: %s\n     %s\n", symbol, why, layer);
}

/* ---- resolving --------------------------------------------------------------------------------- */
static AirNode *resolve(HeliaArena *arena, HeliaDiag *diag, const Layer *l, uint32_t isa, HeliaGoal goal,
                        AirGraph **graph)
{
    const HeliaTarget target = {.platform = "test", .cpu = "test", .isa = isa, .goal = goal, .min_alignment = 16};
    const HeliaRegistryContext *registry = helia_build_default_registry_context(arena, diag, NULL, NULL, 0, false);
    const char *inputs = l->inputs == 2 ? "%0 \"a\" %1 \"b\"" : "%0 \"x\"";
    const char *text = helia_format(arena,
                                    "model \"layer\" version 3\ngraph 0 \"main\" inputs (%s) outputs (%%%u \"y\")\n%s",
                                    inputs, l->out, l->text);
    AirModel *model = air_read(arena, diag, registry, "layer.air", text);
    if (!model)
        return NULL;
    HeliaOpContext c = {model->main, arena, diag, &target};
    *graph = model->main;
    return resolve_graph(&c, registry) ? model->main->nodes.at[0] : NULL;
}

/* The portable kernel's output, in the arena. */
static const uint8_t *expected(HeliaArena *arena, HeliaDiag *diag, const Layer *l, uint32_t seed)
{
    AirGraph *g;
    AirNode *n = resolve(arena, diag, l, HELIA_ISA_C, HELIA_GOAL_LATENCY, &g);
    if (!n)
        return NULL;
    void **data = HELIA_NEW_N(arena, void *, g->tensors.len);
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        data[i] = helia_alloc(arena, 1, air_bytes(t));
        if (t->data)
            memcpy(data[i], t->data, air_bytes(t));
    }
    for (uint32_t i = 0; i < g->inputs.len; i++)
        kernel_fill(data[g->inputs.at[i]->id], (uint32_t)air_bytes(g->inputs.at[i]), seed, i);
    HeliaEval v = {g, diag, data, helia_alloc(arena, 1, n->scratch + 16)};
    return n->op->eval(&v, n) ? data[n->out[0]->id] : NULL;
}

/* The case of the kernel that the target chooses; false where that is the portable one. */
static bool make_case(HeliaArena *arena, HeliaDiag *diag, const Layer *l, uint32_t isa, HeliaGoal goal, uint32_t seed,
                      KernelCase *c)
{
    AirGraph *g;
    const AirNode *n = resolve(arena, diag, l, isa, goal, &g);
    if (!n) {
        fail("none", l->words, "the layer was refused");
        return false;
    }
    if (!kernel_at(kernel_index(n->kernel->symbol))) {
        if (n->kernel->isa)
            fail(n->kernel->symbol, l->words, "tests/kernels/kernel_table.c lacks it");
        return false;
    }
    *c = (KernelCase){.layer = l->words,
                      .symbol = n->kernel->symbol,
                      .params = n->params,
                      .n_args = n->args.len,
                      .scratch = (uint32_t)n->scratch,
                      .seed = seed,
                      .over = -1,
                      .expected = expected(arena, diag, l, seed)};
    for (uint32_t i = 0; i < n->args.len && i < KERNEL_MAX_ARGS; i++) {
        const AirTensor *t = n->args.at[i].tensor;
        c->args[i] = (KernelArg){t ? t->data : NULL, t ? (uint32_t)air_bytes(t) : 0, n->args.at[i].written,
                                 t && t->type == AIR_S16 ? 2 : 1};
        bool takes = t && !t->data && !n->args.at[i].written && air_bytes(t) == air_bytes(n->out[0]);
        if (takes && n->op->traits & HELIA_OP_INPLACE)
            c->over = (int32_t)i;
    }
    if (!c->expected)
        fail(c->symbol, l->words, "the portable kernel gave nothing");
    return c->expected != NULL;
}

/* Every kernel of the table has had layers. */
static void check_counts(void)
{
    for (uint32_t i = 0; kernel_at(i); i++) {
        const char *symbol = kernel_at(i)->symbol;
        printf("ok   %s: %u layers\n", symbol, cases[i]);
        if (cases[i] < FEWEST)
            fail(symbol, "of all layers", "too few reach it");
    }
}

/* ---- as C -------------------------------------------------------------------------------------- */
static void write_words(FILE *f, const char *name, uint32_t index, uint32_t part, const void *bytes, size_t n)
{
    fprintf(f, "static const uint32_t %s_%u_%u[] = {", name, index, part);
    for (size_t i = 0; i < n; i += 4) {
        uint32_t word = 0;
        memcpy(&word, (const uint8_t *)bytes + i, n - i < 4 ? n - i : 4);
        fprintf(f, "%s0x%xu,", i % 64 ? " " : "\n    ", word);
    }
    fprintf(f, "\n};\n");
}

/* Writes the case's constants to f and its row to `rows`. */
static void write_case(FILE *f, FILE *rows, const KernelCase *c, uint32_t index)
{
    write_words(f, "params", index, 0, c->params, kernel_at(kernel_index(c->symbol))->params_size);
    fprintf(rows, "    {\"%s\", \"%s\", params_%u_0, %u, {", c->layer, c->symbol, index, c->n_args);
    for (uint32_t i = 0; i < c->n_args; i++) {
        const KernelArg *a = &c->args[i];
        if (a->constant)
            write_words(f, "constant", index, i, a->constant, a->size);
        if (a->written)
            write_words(f, "expected", index, 0, c->expected, a->size);
        if (a->constant)
            fprintf(rows, "{constant_%u_%u", index, i);
        else
            fprintf(rows, "{0");
        fprintf(rows, ", %u, %d, %u}, ", a->size, a->written, a->element);
    }
    fprintf(rows, "}, %u, %u, %d, (const uint8_t *)expected_%u_0},\n", c->scratch, c->seed, c->over, index);
}

/* ---- the program ------------------------------------------------------------------------------- */
static void each_layer_of(uint32_t isa, HeliaGoal goal, FILE *f, FILE *rows)
{
    static Layer layer;
    uint32_t seed = 1;
    for (const LayerKind *k = layer_kinds; k->op; k++)
        for (int32_t i = 0; i < k->count; i++) {
            HeliaArena *arena = helia_arena_new(NULL);
            HeliaDiag *diag = helia_diag_new(arena, log_text, NULL, 1);
            KernelCase c;
            layer.n = 0;
            k->make(&layer, &seed);
            if (make_case(arena, diag, &layer, isa, goal, seed, &c)) {
                cases[kernel_index(c.symbol)]++;
                if (f) {
                    write_case(f, rows, &c, passed++);
                } else {
                    const char *why = kernel_case_run(&c);
                    passed += !why;
                    if (why)
                        fail(c.symbol, layer.words, why);
                }
            }
            helia_arena_free(arena);
        }
}

static void each_layer(uint32_t isa, FILE *f, FILE *rows)
{
    each_layer_of(isa, HELIA_GOAL_LATENCY, f, rows);
    each_layer_of(isa, HELIA_GOAL_SIZE, f, rows);
}

static int write_image(const char *isa, const char *path)
{
    FILE *f = fopen(path, "w"), *rows = tmpfile();
    if (!f || !rows)
        return fprintf(stderr, "cannot write %s\n", path), 1;
    fprintf(f, "/* Made by tests/kernels. */\n#include \"kernel_case.h\"\n");
    each_layer(strcmp(isa, "x86") == 0 ? HELIA_ISA_X86 : strcmp(isa, "m55") == 0 ? M55_ISA : M4_ISA, f, rows);
    fprintf(f, "extern const KernelCase kernel_cases[];\nextern const uint32_t kernel_case_count;\n"
               "const KernelCase kernel_cases[] = {\n");
    rewind(rows);
    for (int ch; (ch = getc(rows)) != EOF;)
        putc(ch, f);
    fprintf(f, "};\nconst uint32_t kernel_case_count = %u;\n", passed);
    fclose(rows);
    return fclose(f) != 0 || failed != 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--write") == 0)
        return write_image(argv[2], argv[3]);
    each_layer(M4_ISA, NULL, NULL);
    each_layer(M55_ISA, NULL, NULL);
    each_layer(HELIA_ISA_X86, NULL, NULL);
    check_counts();
    printf("kernels: %u passed, %u failed\n", passed, failed);
    return failed != 0;
}
