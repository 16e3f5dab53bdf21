/* The documentation handler: README.md, LICENSE and the recorded configuration. */
#include "emit/emit_int.h"
#include "emit/writers/writer.h"

#include <string.h>

/* ---- tables ----------------------------------------------------------------------------------- */
static void port_rows(HeliaEmitter *e, HeliaOut *o, const EmitPort *ports, uint32_t n, const char *direction)
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
        helia_out_line(o, "| %s %u | %s | %s | %s | %s | %s |", direction, i,
                       markdown_code(e->arena, ports[i].original), air_type_doc(t->type), air_shape_text(e->arena, t),
                       scale, zero);
    }
}

static const char *port_table(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    port_rows(e, o, e->inputs, e->graph->inputs.len, "input");
    port_rows(e, o, e->outputs, e->graph->outputs.len, "output");
    return helia_out_string(o, NULL);
}

static const char *size_table(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const MemoryRegion *region = &e->plan->regions.at[r];
        const char *proven = region->role != ROLE_SCRATCH ? ""
                             : region->proven             ? "; the minimum for this operator order"
                                                          : "";
        const char *origin = region->staged
                                 ? helia_format(e->arena, "; copied by init from %s", memory_name(region->source))
                                 : "";
        const char *blob = region->sidecar ? helia_format(e->arena, "; image in `%s`", blob_path(e, r)) : "";
        helia_out_line(o, "| `%s_SIZE` | %zu | %s in %s, aligned to %zu%s%s%s |", region_name(e, r), region->size,
                       region->role == ROLE_SCRATCH      ? "activations and working memory"
                       : region->role == ROLE_PERSISTENT ? "state"
                                                         : "constants",
                       memory_name(region->memory), region->align, proven, origin, blob);
    }
    for (int m = 0; m < NUM_MEMORIES; m++)
        if (memory_is_writable((MemoryType)m) && memory_bytes(e, (MemoryType)m))
            helia_out_line(o, "| `%s_ARENA_%s_BYTES` | %zu | all regions in %s |", e->PREFIX,
                           memory_name((MemoryType)m), memory_bytes(e, (MemoryType)m), memory_name((MemoryType)m));
    helia_out_line(o, "| `%s_WEIGHTS_BYTES` | %zu | all constants |", e->PREFIX, weights_bytes(e));
    helia_out_line(o, "| `%s_STATE_SIZE` | %u | a saved state |", e->PREFIX, e->state_size);
    return helia_out_string(o, NULL);
}

static const char *operator_table(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t i = 0; i < e->operators.len; i++) {
        const AirNode *n = e->operators.at[i];
        const char *kernel = n->kernel ? markdown_code(e->arena, n->kernel->symbol) : "inline code";
        helia_out_line(o, "| %u | %s | %s | `%s_%s.c` | %s | %zu |", i, n->op_type,
                       markdown_code(e->arena, n->n_out && n->out[0] ? n->out[0]->name : ""), e->prefix, n->cname,
                       kernel, scratch_slot(e, n) ? n->scratch : 0);
    }
    return helia_out_string(o, NULL);
}

/* ---- example ---------------------------------------------------------------------------------- */
static const char *first_c_type(const EmitPort *ports, uint32_t n)
{
    return n ? air_type_ctype(ports[0].tensor->type) : "int8_t";
}

const char *bind_arenas_block(HeliaEmitter *e, HeliaOut *buffers)
{
    HeliaOut *calls = helia_out_new(e->arena);
    for (uint32_t r = 0, k = 0; r < e->plan->regions.len; r++) {
        if (!region_is_bound(e, r))
            continue;
        const char *name = region_name(e, r);
        helia_out_line(buffers, "static %s_ALIGNED(%s_ALIGN) uint8_t arena%u[%s_SIZE];", e->PREFIX, name, k, name);
        helia_out_line(calls, "    status = %s_bind_arena(%s, arena%u, sizeof(arena%u));", e->prefix, name, k, k);
        helia_out_line(calls, "    if (status != %s_STATUS_OK)", e->PREFIX);
        helia_out_line(calls, "        return status;");
        k++;
    }
    return helia_out_string(calls, NULL);
}

static const char *bind_blobs(HeliaEmitter *e)
{
    HeliaOut *calls = helia_out_new(e->arena);
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        if (!e->plan->regions.at[r].sidecar)
            continue;
        helia_out_line(calls, "    status = %s_bind_blob(%s, blob%u, %s_BLOB_SIZE);", e->prefix, region_name(e, r), r,
                       region_name(e, r));
        helia_out_line(calls, "    if (status != %s_STATUS_OK)", e->PREFIX);
        helia_out_line(calls, "        return status;");
    }
    return helia_out_string(calls, NULL);
}

/* The parameters of `start`: where the blobs are. */
static const char *blob_parameters(HeliaEmitter *e)
{
    const char *text = "";
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        if (e->plan->regions.at[r].sidecar)
            text = helia_format(e->arena, "%s%sconst void *blob%u", text, *text ? ", " : "", r);
    return *text ? text : "void";
}

/* A function `infer` that compiles as it stands; the documentation of a module is tested with it. */
static const char *example(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    helia_out_line(o, "#include \"%s_model.h\"", e->prefix);
    helia_out_line(o, "#include <string.h>");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "static %s_model_context_t ctx; /* zeroed */", e->prefix);
    const char *bindings = helia_format(e->arena, "%s%s", bind_arenas_block(e, o), bind_blobs(e));
    const uint32_t n_in = e->graph->inputs.len, n_out = e->graph->outputs.len;
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int start(%s)", blob_parameters(e));
    helia_out_line(o, "{");
    if (*bindings) {
        helia_out_line(o, "    int32_t status;");
        helia_out_text(o, bindings, strlen(bindings));
    }
    helia_out_line(o, "    return (int)%s_model_init(&ctx);", e->prefix);
    helia_out_line(o, "}");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int infer(const %s *in, %s *out)", first_c_type(e->inputs, n_in),
                   first_c_type(e->outputs, n_out));
    helia_out_line(o, "{");
    helia_out_line(o, "    int32_t status;");
    helia_out_line(o, n_in ? "    memcpy(ctx.inputs[0].data, in, ctx.inputs[0].nbytes);" : "    (void)in;");
    helia_out_line(o, "    status = %s_model_run(&ctx);", e->prefix);
    if (n_out) {
        helia_out_line(o, "    if (status == %s_STATUS_OK)", e->PREFIX);
        helia_out_line(o, "        memcpy(out, ctx.outputs[0].data, ctx.outputs[0].nbytes);");
    } else {
        helia_out_line(o, "    (void)out;");
    }
    helia_out_line(o, "    return (int)status;");
    helia_out_line(o, "}");
    return helia_out_string(o, NULL);
}

/* ---- blobs ------------------------------------------------------------------------------------ */
static const char *blob_section(HeliaEmitter *e)
{
    HeliaOut *rows = helia_out_new(e->arena);
    bool any = false;
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const MemoryRegion *region = &e->plan->regions.at[r];
        if (!region->sidecar)
            continue;
        helia_out_line(rows, "| `%s` | `%s` | %zu | %s | %s |", blob_path(e, r), region_name(e, r), blob_size(e, r),
                       memory_name(region_source(region)),
                       region->staged ? "any" : helia_format(e->arena, "%zu", region->align));
        any = true;
    }
    const TemplateKey keys[] = {{"p", e->prefix}, {"P", e->PREFIX}, {"ROWS", helia_out_string(rows, NULL)}};
    const char *text = any ? template_expand(e->arena, e->diag, "blobs.md.in", keys, 3) : "";
    return text ? text : "";
}

/* ---- files ------------------------------------------------------------------------------------ */
static bool emit_readme(HeliaEmitter *e)
{
    const Config *c = e->config;
    const AirModel *model = e->graph->model;
    const char *given = c->model.description && *c->model.description ? c->model.description : model->description;
    const char *description = given && *given ? helia_format(e->arena, "%s\n\n", helia_printable(e->arena, given)) : "";
    bool table = c->module.schedule == SCHEDULE_TABLE;
    bool binds = false;
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        binds = binds || region_is_bound(e, r);
    const char *memory = plan_report_text(e->arena, e->graph, e->plan);
    const TemplateKey keys[] = {
        {"NAME", c->module.name},
        {"DESCRIPTION", description},
        {"VERSION", HELIA_AOT_VERSION},
        {"MODEL", helia_printable(e->arena, model->file_name)},
        {"SHA256", model->sha256},
        {"MODEL_VERSION",
         c->model.version ? helia_printable(e->arena, c->model.version) : helia_format(e->arena, "%u", model->version)},
        {"PLATFORM", e->platform->name},
        {"CPU", e->platform->cpu},
        {"HEADERS", writer_find(c->module.type)->one_folder ? "src/" : "includes-api/"},
        {"GLUE", writer_use(writer_find(c->module.type), e->arena, e->diag, c)},
        {"MATH", needs_math(e) ? " The application links the C mathematics library (`-lm`)." : ""},
        {"EXAMPLE", example(e)},
        {"BIND",
         binds ? helia_format(e->arena, " Bind every region that is written with `%s_bind_arena`.", e->prefix) : ""},
        {"KEEP", c->memory.keep_inputs ? "Inputs keep their values during a run."
                                       : "Inputs may be overwritten by a run (`memory.keep_inputs`)."},
        {"SCHEDULE",
         table ? "`ctx.callback` is called before and after each operator; a status other than 0 stops the run."
               : "The schedule is `static`: direct calls, no callbacks."},
        {"PORTS", port_table(e)},
        {"SIZES", size_table(e)},
        {"OPERATORS", operator_table(e)},
        {"PLAN_HASH", helia_format(e->arena, "%08x", e->plan->hash)},
        {"MEMORY", memory},
        {"BLOBS", blob_section(e)},
    };
    return emit_template(e, "README.md", "README.md.in", keys, sizeof(keys) / sizeof(keys[0]));
}

bool emit_documentation(HeliaEmitter *e)
{
    const EmbeddedFile *license = embedded_find("LICENSE");
    if (license)
        helia_out_text(helia_emit_file(e, "LICENSE"), (const char *)license->bytes, license->size);
    const char *recorded = config_dump(e->arena, e->config, e->graph->model->sha256);
    helia_out_text(helia_emit_file(e, "helia_aot.yaml"), recorded, strlen(recorded));
    return emit_readme(e);
}
