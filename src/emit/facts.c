/* The facts of a module as tables, for whatever shows them: README.md as Markdown, the report as HTML. */
#include "emit/facts.h"

#include <string.h>

/* ---- tables ----------------------------------------------------------------------------------- */
static FactTable new_table(HeliaEmitter *e, const char *const *heads)
{
    FactTable t = {.arena = e->arena, .heads = heads};
    while (heads[t.columns])
        t.columns++;
    return t;
}

static void text_cell(FactTable *t, const char *text)
{
    HELIA_PUSH(t->arena, &t->cells, ((FactCell){text, false}));
}

static void code_cell(FactTable *t, const char *text)
{
    HELIA_PUSH(t->arena, &t->cells, ((FactCell){text, true}));
}

static const char *number(HeliaEmitter *e, size_t n)
{
    return helia_format(e->arena, "%zu", n);
}

/* ---- the module ------------------------------------------------------------------------------- */
static void fact(FactTable *t, const char *what, const char *text)
{
    text_cell(t, what);
    text_cell(t, text);
}

const char *model_description(HeliaEmitter *e)
{
    const char *given = e->config->model.description;
    given = given && *given ? given : e->graph->model->description;
    return given && *given ? helia_printable(e->arena, given) : "";
}

const char *model_version(HeliaEmitter *e)
{
    return e->config->model.version ? helia_printable(e->arena, e->config->model.version)
                                    : helia_format(e->arena, "%u", e->graph->model->version);
}

FactTable facts_module(HeliaEmitter *e)
{
    static const char *const heads[] = {"", "", NULL};
    const Config *c = e->config;
    FactTable t = new_table(e, heads);
    fact(&t, "model",
         helia_format(e->arena, "%s: %s, version %s", helia_printable(e->arena, c->model.name),
                      helia_printable(e->arena, e->graph->model->file_name), model_version(e)));
    if (*model_description(e))
        fact(&t, "description", model_description(e));
    fact(&t, "SHA-256 of the model", e->graph->model->sha256);
    fact(&t, "platform", helia_format(e->arena, "%s (%s)", e->platform->name, e->platform->cpu));
    fact(&t, "operators", number(e, e->operators.len));
    fact(&t, "schedule", c->module.schedule == SCHEDULE_TABLE ? "table" : "static");
    fact(&t, "planner", c->memory.planner);
    fact(&t, "plan hash", helia_format(e->arena, "0x%08x", e->plan->hash));
    fact(&t, "module", helia_format(e->arena, "%s, prefix %s", c->module.name, e->prefix));
    return t;
}

/* ---- inputs and outputs ----------------------------------------------------------------------- */
static void port_rows(HeliaEmitter *e, FactTable *table, const EmitPort *ports, uint32_t n, const char *direction)
{
    for (uint32_t i = 0; i < n; i++) {
        const AirTensor *t = ports[i].tensor;
        const char *scale = "", *zero = "";
        if (t->quant && t->quant->n == 1) {
            const char *text = helia_float_text(e->arena, t->quant->scale[0]);
            scale = helia_strndup(e->arena, text, strlen(text) - 1); /* without the "f" */
            zero = helia_format(e->arena, "%d", t->quant->zero[0]);
        } else if (t->quant) {
            scale = "per channel";
        }
        text_cell(table, helia_format(e->arena, "%s %u", direction, i));
        code_cell(table, ports[i].original);
        text_cell(table, air_type_doc(t->type));
        text_cell(table, air_shape_text(e->arena, t));
        text_cell(table, scale);
        text_cell(table, zero);
    }
}

FactTable facts_ports(HeliaEmitter *e)
{
    static const char *const heads[] = {"", "name", "type", "shape", "scale", "zero point", NULL};
    FactTable t = new_table(e, heads);
    port_rows(e, &t, e->inputs, e->graph->inputs.len, "input");
    port_rows(e, &t, e->outputs, e->graph->outputs.len, "output");
    return t;
}

/* ---- sizes ------------------------------------------------------------------------------------ */
static void size_row(HeliaEmitter *e, FactTable *t, const char *macro, size_t bytes, const char *text)
{
    code_cell(t, macro);
    text_cell(t, number(e, bytes));
    text_cell(t, text);
}

static const char *region_fact(HeliaEmitter *e, uint32_t r)
{
    const MemoryRegion *region = &e->plan->regions.at[r];
    const char *proven = region->role == ROLE_SCRATCH && region->proven ? "; the minimum for this operator order" : "";
    const char *origin = region->staged
                             ? helia_format(e->arena, "; copied by init from %s", memory_name(region->source))
                             : "";
    const char *blob = region->sidecar ? helia_format(e->arena, "; image in `%s`", blob_path(e, r)) : "";
    return helia_format(e->arena, "%s in %s, aligned to %zu%s%s%s",
                        region->role == ROLE_SCRATCH      ? "activations and working memory"
                        : region->role == ROLE_PERSISTENT ? "state"
                                                          : "constants",
                        memory_name(region->memory), region->align, proven, origin, blob);
}

FactTable facts_sizes(HeliaEmitter *e)
{
    static const char *const heads[] = {"macro", "bytes", "", NULL};
    FactTable t = new_table(e, heads);
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        size_row(e, &t, helia_format(e->arena, "%s_SIZE", region_name(e, r)), e->plan->regions.at[r].size,
                 region_fact(e, r));
    for (int m = 0; m < NUM_MEMORIES; m++) {
        const char *name = memory_name((MemoryType)m);
        if (memory_is_writable((MemoryType)m) && memory_bytes(e, (MemoryType)m))
            size_row(e, &t, helia_format(e->arena, "%s_ARENA_%s_BYTES", e->PREFIX, name),
                     memory_bytes(e, (MemoryType)m), helia_format(e->arena, "all regions in %s", name));
    }
    size_row(e, &t, helia_format(e->arena, "%s_WEIGHTS_BYTES", e->PREFIX), weights_bytes(e),
             "all constants, initial values of the state included");
    size_row(e, &t, helia_format(e->arena, "%s_STATE_SIZE", e->PREFIX), e->state_size, "a saved state");
    return t;
}

/* ---- operators -------------------------------------------------------------------------------- */
/* "int8 [1x4], int8 [1x4]" of what is no constant. */
static const char *shapes(HeliaEmitter *e, AirTensor *const *tensors, uint32_t n)
{
    const char *text = "";
    for (uint32_t i = 0; i < n; i++)
        if (tensors[i] && !air_is_constant(tensors[i]))
            text = helia_format(e->arena, "%s%s%s %s", text, *text ? ", " : "", air_type_doc(tensors[i]->type),
                                air_shape_text(e->arena, tensors[i]));
    return text;
}

FactTable facts_operators(HeliaEmitter *e)
{
    static const char *const heads[] = {"",     "operator", "name in the model", "inputs", "outputs",
                                        "file", "kernel",   "scratch",           NULL};
    FactTable t = new_table(e, heads);
    for (uint32_t i = 0; i < e->operators.len; i++) {
        const AirNode *n = e->operators.at[i];
        text_cell(&t, number(e, i));
        text_cell(&t, n->op_type);
        code_cell(&t, n->n_out && n->out[0] ? n->out[0]->name : "");
        text_cell(&t, shapes(e, n->in, n->n_in));
        text_cell(&t, shapes(e, n->out, n->n_out));
        code_cell(&t, helia_format(e->arena, "%s_%s.c", e->prefix, n->cname));
        if (n->kernel)
            code_cell(&t, n->kernel->symbol);
        else
            text_cell(&t, "inline code");
        text_cell(&t, number(e, scratch_slot(e, n) ? n->scratch : 0));
    }
    return t;
}

/* ---- constants beside the code ---------------------------------------------------------------- */
FactTable facts_blobs(HeliaEmitter *e)
{
    static const char *const heads[] = {"file", "region", "bytes", "memory", "alignment", NULL};
    FactTable t = new_table(e, heads);
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const MemoryRegion *region = &e->plan->regions.at[r];
        if (!region->sidecar)
            continue;
        code_cell(&t, blob_path(e, r));
        code_cell(&t, region_name(e, r));
        text_cell(&t, number(e, blob_size(e, r)));
        text_cell(&t, memory_name(region_source(region)));
        text_cell(&t, region->staged ? "any" : number(e, region->align));
    }
    return t;
}

/* ---- numerics --------------------------------------------------------------------------------- */
const char *facts_numerics(HeliaEmitter *e)
{
    const TemplateKey keys[] = {{"p", e->prefix}};
    const char *text = template_expand(e->arena, e->diag, "numerics.md.in", keys, 1);
    return text ? text : "";
}

/* ---- Markdown --------------------------------------------------------------------------------- */
const char *facts_markdown(const FactTable *t)
{
    HeliaOut *o = helia_out_new(t->arena);
    const char *heads = "|", *line = "|";
    for (uint32_t i = 0; i < t->columns; i++) {
        heads = helia_format(t->arena, "%s %s%s|", heads, t->heads[i], *t->heads[i] ? " " : "");
        line = helia_format(t->arena, "%s---|", line);
    }
    helia_out_line(o, "%s", heads);
    helia_out_line(o, "%s", line);
    for (uint32_t i = 0; i < t->cells.len; i += t->columns) {
        const char *row = "|";
        for (uint32_t k = i; k < i + t->columns; k++) {
            const FactCell *cell = &t->cells.at[k];
            row = helia_format(t->arena, "%s %s |", row, cell->code ? markdown_code(t->arena, cell->text) : cell->text);
        }
        helia_out_line(o, "%s", row);
    }
    return helia_out_string(o, NULL);
}
