/* The platform handler: hooks, types and status codes. */
#include "emit/writers/writer.h"

bool emit_platform(HeliaEmitter *e)
{
    const Writer *writer = writer_find(e->config->module.type);
    const char *defaults = writer->placement ? writer->placement(e->arena, e->platform, e->PREFIX) : "";
    HeliaOut *placement = helia_out_new(e->arena);
    for (int m = 0; m < NUM_MEMORIES; m++)
        for (int init = 0; init < 2; init++) {
            const char *macro = helia_format(e->arena, "%s_PUT_IN_%s%s", e->PREFIX, memory_name((MemoryType)m),
                                             init ? "_INIT" : "");
            helia_out_line(placement, "#ifndef %s", macro);
            helia_out_line(placement, "#define %s", macro);
            helia_out_line(placement, "#endif");
        }
    HeliaOut *code = helia_out_new(e->arena);
    for (int m = 0; m < NUM_MEMORIES; m++) {
        const char *macro = helia_format(e->arena, "%s_CODE_IN_%s", e->PREFIX, memory_name((MemoryType)m));
        helia_out_line(code, "#ifndef %s", macro);
        helia_out_line(code, "#define %s", macro);
        helia_out_line(code, "#endif");
    }
    const TemplateKey keys[] = {{"DEFAULTS", *defaults ? helia_format(e->arena, "%s\n", defaults) : ""},
                                {"PLACEMENT", helia_out_string(placement, NULL)},
                                {"CODE", helia_out_string(code, NULL)}};
    return emit_template(e, helia_format(e->arena, "includes-api/%s_platform.h", e->prefix), "platform.h.in", keys,
                         3) &&
           emit_template(e, helia_format(e->arena, "includes-api/%s_common.h", e->prefix), "common.h.in", NULL, 0);
}
