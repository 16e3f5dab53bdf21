/* The tensors handler: enumerators, regions and sizes, and the storage of the regions that the module owns. */
#include "emit/emit_int.h"

#include <string.h>

/* ---- <p>_tensors.h ---------------------------------------------------------------------------- */
static const char *tensor_enum(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t i = 0; i < e->tensors.len; i++) {
        const AirTensor *t = e->tensors.at[i];
        helia_out_line(o, "    %s = %u, /* \"%s\" %s %s, %s */", e->tensor_names[t->id], i,
                       comment_text(e->arena, t->name), air_type_doc(t->type), air_shape_text(e->arena, t),
                       slot_text(e, &e->plan->tensors[t->id]));
    }
    helia_out_line(o, "    %s_NUM_TENSORS = %u", e->PREFIX, e->tensors.len);
    return helia_out_string(o, NULL);
}

static const char *region_enum(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        helia_out_line(o, "    %s = %u,", region_name(e, r), r);
    helia_out_line(o, "    %s_NUM_REGIONS = %u", e->PREFIX, e->plan->regions.len);
    return helia_out_string(o, NULL);
}

static const char *region_sizes(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        helia_out_line(o, "#define %s_SIZE %zuu", region_name(e, r), e->plan->regions.at[r].size);
        helia_out_line(o, "#define %s_ALIGN %zuu", region_name(e, r), e->plan->regions.at[r].align);
        if (e->plan->regions.at[r].sidecar)
            helia_out_line(o, "#define %s_BLOB_SIZE %zuu", region_name(e, r), blob_size(e, r));
    }
    return helia_out_string(o, NULL);
}

static const char *memory_sizes(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (int m = 0; m < NUM_MEMORIES; m++) {
        size_t size = memory_bytes(e, (MemoryType)m);
        if (memory_is_writable((MemoryType)m) && (size || e->platform->size[m]))
            helia_out_line(o, "#define %s_ARENA_%s_BYTES %zuu", e->PREFIX, memory_name((MemoryType)m), size);
    }
    helia_out_line(o, "#define %s_WEIGHTS_BYTES %zuu", e->PREFIX, weights_bytes(e));
    helia_out_line(o, "%s", "");
    helia_out_line(o, "/* Bytes of a saved state, and the operators of the schedule. */");
    helia_out_line(o, "#define %s_STATE_SIZE %uu", e->PREFIX, e->state_size);
    helia_out_line(o, "#define %s_NUM_OPERATORS %uu", e->PREFIX, e->operators.len);
    return helia_out_string(o, NULL);
}

static void port_macros(HeliaEmitter *e, HeliaOut *o, const EmitPort *port, const char *direction)
{
    const AirTensor *t = port->tensor;
    const char *name = helia_format(e->arena, "%s_%s_%s", e->PREFIX, direction, port->safe);
    int32_t zero = t->quant ? t->quant->zero[0] : 0;
    helia_out_line(o, "#define %s_SCALE %s", name, helia_float_text(e->arena, t->quant ? t->quant->scale[0] : 0.0f));
    helia_out_line(o, zero < 0 ? "#define %s_ZERO_POINT (%d)" : "#define %s_ZERO_POINT %d", name, zero);
    helia_out_line(o, "#define %s_COUNT %lldu", name, (long long)air_count(t));
    helia_out_line(o, "#define %s_RANK %du", name, t->rank);
    const char *shape = t->rank ? "" : "0";
    for (int32_t i = 0; i < t->rank; i++)
        shape = helia_format(e->arena, "%s%s%d", shape, i ? ", " : "", t->dim[i]);
    helia_out_line(o, "#define %s_SHAPE { %s }", name, shape);
}

static void port_block(HeliaEmitter *e, HeliaOut *o, const EmitPort *ports, uint32_t n, const char *direction)
{
    helia_out_line(o, "%s", "");
    helia_out_line(o, "#define %s_NUM_%sS %uu", e->PREFIX, direction, n);
    if (!n)
        return;
    helia_out_line(o, "enum {");
    for (uint32_t i = 0; i < n; i++)
        helia_out_line(o, "    %s_%s_%s = %u%s /* \"%s\" */", e->PREFIX, direction, ports[i].safe, i,
                       i + 1 < n ? "," : "", comment_text(e->arena, ports[i].original));
    helia_out_line(o, "};");
    for (uint32_t i = 0; i < n; i++)
        port_macros(e, o, &ports[i], direction);
}

static bool emit_tensors_header(HeliaEmitter *e)
{
    HeliaOut *ports = helia_out_new(e->arena);
    helia_out_line(ports, "/* Inputs and outputs: index in ctx.inputs and ctx.outputs; elements, rank and shape; scale "
                          "and zero point, 0 where");
    helia_out_line(ports, " * not quantised. */");
    port_block(e, ports, e->inputs, e->graph->inputs.len, "INPUT");
    port_block(e, ports, e->outputs, e->graph->outputs.len, "OUTPUT");
    const TemplateKey keys[] = {
        {"TENSORS", tensor_enum(e)},
        {"REGIONS", region_enum(e)},
        {"REGION_SIZES", region_sizes(e)},
        {"PLAN_HASH", helia_format(e->arena, "#define %s_PLAN_HASH 0x%08xu\n", e->PREFIX, e->plan->hash)},
        {"SIZES", memory_sizes(e)},
        {"PORTS", helia_out_string(ports, NULL)},
    };
    return emit_template(e, helia_format(e->arena, "includes-api/%s_tensors.h", e->prefix), "tensors.h.in", keys, 6);
}

/* ---- storage ---------------------------------------------------------------------------------- */
/* "AOT_PUT_IN_MRAM_INIT AOT_ALIGNED(16u) const uint8_t aot_arena_constant_mram[512]" without its value. */
static const char *definition(HeliaEmitter *e, uint32_t region, MemoryType memory, bool has_value, const char *symbol)
{
    const char *name = region_name(e, region);
    const size_t size = e->plan->regions.at[region].size;
    return helia_format(e->arena, "%s_PUT_IN_%s%s %s_ALIGNED(%s_ALIGN)\n%suint8_t %s[%s%s]", e->PREFIX,
                        memory_name(memory), has_value ? "_INIT" : "", e->PREFIX, name,
                        memory_is_writable(memory) ? "" : "const ", symbol, size ? name : "1", size ? "_SIZE" : "");
}

void emit_bytes(HeliaOut *o, const uint8_t *bytes, size_t n)
{
    enum { PER_LINE = 24 };
    for (size_t i = 0; i < n; i += PER_LINE) {
        char line[PER_LINE * 5 + 4] = "   "; /* " 255," each */
        size_t at = 3;
        for (size_t k = i; k < n && k < i + PER_LINE; k++) {
            unsigned v = bytes[k];
            line[at++] = ' ';
            if (v >= 100)
                line[at++] = (char)('0' + v / 100);
            if (v >= 10)
                line[at++] = (char)('0' + v / 10 % 10);
            line[at++] = (char)('0' + v % 10);
            line[at++] = ',';
        }
        line[at++] = '\n';
        helia_out_text(o, line, at);
    }
}

static void emit_constants(HeliaEmitter *e, HeliaOut *o, uint32_t region, const char *defined)
{
    const size_t size = e->plan->regions.at[region].size;
    ConstantRoots roots = {0};
    const uint8_t *image = region_image(e, region, &roots);
    helia_out_line(o, "%s = {", defined);
    for (uint32_t i = 0; i < roots.len; i++) {
        const AirTensor *t = roots.at[i];
        size_t from = e->plan->tensors[t->id].offset;
        size_t end = i + 1 < roots.len ? e->plan->tensors[roots.at[i + 1]->id].offset : size;
        helia_out_line(o, "    /* + %zu: \"%s\" %s %s */", from, comment_text(e->arena, t->name), air_type_doc(t->type),
                       air_shape_text(e->arena, t));
        emit_bytes(o, image + from, end - from);
    }
    if (!roots.len)
        helia_out_line(o, "    0");
    helia_out_line(o, "};");
}

/* The file that holds regions of this kind, with its beginning on first use. */
static HeliaOut *storage_file(HeliaEmitter *e, const char *name, const char *what)
{
    HeliaOut *o = helia_emit_file(e, helia_format(e->arena, "src/%s_%s.c", e->prefix, name));
    size_t n;
    helia_out_string(o, &n);
    if (n == 0) {
        helia_out_line(o, "/* %s_%s.c: %s.", e->prefix, name, e->origin);
        helia_out_line(o, " * %s */", what);
        helia_out_line(o, "#include \"%s_arenas.h\"", e->prefix);
    }
    helia_out_line(o, "%s", "");
    return o;
}

static HeliaOut *constants_file(HeliaEmitter *e)
{
    return storage_file(e, "constants", "Weights, tables and other constants, as they lie in memory: little-endian.");
}

/* What state begins with is a constant, which no region holds, because only resets read it. */
static void emit_initial_values(HeliaEmitter *e, HeliaOut *declarations)
{
    for (uint32_t i = 0; i < e->variables.len; i++) {
        const AirTensor *t = e->variables.at[i];
        if (!has_initial_array(t))
            continue;
        const char *symbol = initial_symbol(e, i);
        helia_out_line(declarations, "extern const uint8_t %s[];", symbol);
        HeliaOut *o = constants_file(e);
        helia_out_line(o, "/* \"%s\" %s %s after a reset */", comment_text(e->arena, t->name), air_type_doc(t->type),
                       air_shape_text(e->arena, t));
        helia_out_line(o, "const uint8_t %s[%zu] = {", symbol, air_bytes(t));
        emit_bytes(o, t->initial, air_bytes(t));
        helia_out_line(o, "};");
    }
}

static bool emit_storage(HeliaEmitter *e)
{
    HeliaOut *declarations = helia_out_new(e->arena);
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const MemoryRegion *region = &e->plan->regions.at[r];
        const bool cold = region_is_cold(e, r);
        const char *symbol = region_symbol(e, r), *blob = blob_symbol(e, r);
        if (region_is_owned(e, r) && !cold) {
            helia_out_line(declarations, "extern uint8_t %s[];", symbol);
            helia_out_line(storage_file(e, "arenas", "Writable arenas."), "%s;",
                           definition(e, r, region->memory, false, symbol));
        }
        if (region->role != ROLE_CONSTANT)
            continue;
        if (region->sidecar) {
            emit_sidecar(e, r);
            continue;
        }
        const MemoryType memory = region_source(region);
        helia_out_line(declarations, "extern %suint8_t %s[];", memory_is_writable(memory) ? "" : "const ",
                       cold ? symbol : blob);
        emit_constants(e, constants_file(e), r, definition(e, r, memory, true, cold ? symbol : blob));
    }
    emit_initial_values(e, declarations);
    const TemplateKey keys[] = {{"DECLARATIONS", helia_out_string(declarations, NULL)}};
    return emit_template(e, helia_format(e->arena, "src/%s_arenas.h", e->prefix), "arenas.h.in", keys, 1);
}

bool emit_tensors(HeliaEmitter *e)
{
    return emit_tensors_header(e) && emit_storage(e);
}
