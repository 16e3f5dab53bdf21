/* The debug handler: what the callback of module.debug is given, and a callback that prints it. */
#include "emit/emit_int.h"

/* Types that a view can have. */
static bool has_dtype(AirType type)
{
    return type != AIR_S2;
}

typedef HELIA_VEC(EmitPort) Ports;

/* Every output of the schedule that has storage, as a port, with the lines of the tables beside. */
static Ports collect(HeliaEmitter *e, HeliaOut *places, HeliaOut *first, HeliaOut *operators)
{
    Ports ports = {0};
    for (uint32_t i = 0; i < e->operators.len; i++) {
        const AirNode *n = e->operators.at[i];
        helia_out_line(first, "    %u,", ports.len);
        helia_out_line(operators, "    \"%s\"%s", n->cname, i + 1 < e->operators.len ? "," : "");
        for (uint32_t k = 0; k < n->n_out; k++) {
            const AirTensor *t = n->out[k];
            if (!t || !e->tensor_names[t->id] || e->plan->tensors[t->id].region < 0 || !has_dtype(t->type))
                continue;
            HELIA_PUSH(e->arena, &ports, ((EmitPort){NULL, t, t->name}));
            helia_out_line(places, "    {%s, %u},", e->tensor_names[t->id], k);
        }
    }
    helia_out_line(first, "    %u", ports.len);
    return ports;
}

static const char *type_names(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (int type = 0; type < AIR_NUM_TYPES; type++)
        if (has_dtype((AirType)type)) {
            helia_out_line(o, "    case %s:", dtype_name(e, (AirType)type));
            helia_out_line(o, "        return \"%s\";", air_type_doc((AirType)type));
        }
    return helia_out_string(o, NULL);
}

static const char *inputs_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t i = 0; i < e->graph->inputs.len; i++) {
        helia_out_line(o, "    %s_PRINTF(\"helia-dump input %u\");", e->PREFIX, i);
        helia_out_line(o, "    print_tensor(&ctx->inputs[%u]);", i);
    }
    return helia_out_string(o, NULL);
}

bool emits_debug(const HeliaEmitter *e)
{
    return e->config->module.debug && e->operators.len > 0;
}

bool emit_debug(HeliaEmitter *e)
{
    if (!emits_debug(e))
        return true;
    HeliaOut *places = helia_out_new(e->arena), *first = helia_out_new(e->arena), *views = helia_out_new(e->arena);
    HeliaOut *operators = helia_out_new(e->arena);
    Ports ports = collect(e, places, first, operators);
    if (!ports.len) { /* operators without outputs: the tables still have an element */
        static const AirTensor nothing = {.name = ""};
        HELIA_PUSH(e->arena, &ports, ((EmitPort){NULL, &nothing, ""}));
        helia_out_line(places, "    {0, 0}");
    }
    emit_views(e, views, ports.at, ports.len, "debug", helia_format(e->arena, "%u", ports.len));
    const TemplateKey keys[] = {
        {"VIEWS", helia_out_string(views, NULL)},
        {"PLACES", helia_out_string(places, NULL)},
        {"FIRST", helia_out_string(first, NULL)},
        {"TYPE_NAMES", type_names(e)},
        {"INPUTS", inputs_block(e)},
        {"SHA256", e->graph->model->sha256},
        {"OPERATORS", helia_out_string(operators, NULL)},
    };
    return emit_template(e, helia_format(e->arena, "src/%s_debug.h", e->prefix), "debug.h.in", NULL, 0) &&
           emit_template(e, helia_format(e->arena, "src/%s_debug.c", e->prefix), "debug.c.in", keys, 7);
}
