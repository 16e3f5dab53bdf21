/* The documentation handler: README.md, LICENSE and the recorded configuration. */
#include "emit/facts.h"
#include "emit/writers/writer.h"

#include <string.h>

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

/* ---- sections --------------------------------------------------------------------------------- */
static const char *blob_section(HeliaEmitter *e)
{
    const FactTable blobs = facts_blobs(e);
    const TemplateKey keys[] = {{"p", e->prefix}, {"P", e->PREFIX}, {"ROWS", facts_markdown(&blobs)}};
    const char *text = blobs.cells.len ? template_expand(e->arena, e->diag, "blobs.md.in", keys, 3) : "";
    return text ? text : "";
}

static const char *check_section(HeliaEmitter *e)
{
    const TemplateKey keys[] = {{"p", e->prefix}, {"P", e->PREFIX}, {"NAME", e->config->module.name}};
    const char *test = e->test ? template_expand(e->arena, e->diag, "test.md.in", keys, 3) : "";
    const char *debug = emits_debug(e) ? template_expand(e->arena, e->diag, "debug.md.in", keys, 3) : "";
    return helia_format(e->arena, "%s%s", test ? test : "", debug ? debug : "");
}

/* ---- files ------------------------------------------------------------------------------------ */
static const char *library_text(const Config *c)
{
    switch (c->kernels.library) {
    case LIBRARY_CMSIS_NN:
        return " The application links CMSIS-NN and has `arm_nnfunctions.h` on its include path.";
    case LIBRARY_NS_CMSIS_NN:
        return " The application links ns-cmsis-nn and has `arm_nnfunctions.h` on its include path.";
    default:
        return "";
    }
}

static bool emit_readme(HeliaEmitter *e)
{
    const Config *c = e->config;
    const AirModel *model = e->graph->model;
    const char *given = model_description(e);
    const FactTable ports = facts_ports(e), sizes = facts_sizes(e), operators = facts_operators(e);
    bool table = c->module.schedule == SCHEDULE_TABLE;
    bool binds = false;
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        binds = binds || region_is_bound(e, r);
    const char *memory = plan_report_text(e->arena, e->graph, e->plan);
    const TemplateKey keys[] = {
        {"NAME", c->module.name},
        {"DESCRIPTION", *given ? helia_format(e->arena, "%s\n\n", given) : ""},
        {"VERSION", HELIA_AOT_VERSION},
        {"MODEL", helia_printable(e->arena, model->file_name)},
        {"SHA256", model->sha256},
        {"MODEL_NAME", helia_printable(e->arena, c->model.name)},
        {"MODEL_VERSION", model_version(e)},
        {"PLATFORM", e->platform->name},
        {"CPU", e->platform->cpu},
        {"HEADERS", writer_find(c->module.type)->one_folder ? "src/" : "includes-api/"},
        {"GLUE", writer_use(writer_find(c->module.type), e->arena, e->diag, c)},
        {"MATH", needs_math(e) ? " The application links the C mathematics library (`-lm`)." : ""},
        {"LIBRARY", library_text(c)},
        {"EXAMPLE", example(e)},
        {"BIND",
         binds ? helia_format(e->arena, " Bind every region that is written with `%s_bind_arena`.", e->prefix) : ""},
        {"KEEP", c->memory.keep_inputs ? "Inputs keep their values during a run."
                                       : "Inputs may be overwritten by a run (`memory.keep_inputs`)."},
        {"SCHEDULE",
         table ? "`ctx.callback` is called before and after each operator; a status other than 0 stops the run."
               : "The schedule is `static`: direct calls, no callbacks."},
        {"PORTS", facts_markdown(&ports)},
        {"SIZES", facts_markdown(&sizes)},
        {"OPERATORS", facts_markdown(&operators)},
        {"NUMERICS", facts_numerics(e)},
        {"PLAN_HASH", helia_format(e->arena, "%08x", e->plan->hash)},
        {"MEMORY", memory},
        {"BLOBS", blob_section(e)},
        {"CHECKS", check_section(e)},
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
