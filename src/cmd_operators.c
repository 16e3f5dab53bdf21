/* operators list: what is registered, with the kernels of each operator, best first. */
#include <jansson.h>
#include <string.h>

#include "cmd.h"
#include "op/resolve.h"

/* What a row needs beyond portable C: the library that the application links, and the best instruction set of its mask. */
static const char *target_text(HeliaArena *arena, uint32_t isa)
{
    static const uint32_t order[] = {HELIA_ISA_MVE_FP, HELIA_ISA_MVE, HELIA_ISA_DSP,
                                     HELIA_ISA_FP16,   HELIA_ISA_FPU, HELIA_ISA_X86};
    const char *library = isa & HELIA_LIBRARIES ? isa_text(arena, isa & HELIA_LIBRARIES) : "", *set = "";
    for (size_t i = 0; !*set && i < sizeof(order) / sizeof(order[0]); i++)
        if (isa & order[i])
            set = isa_text(arena, order[i]);
    if (!isa)
        return "portable";
    return helia_format(arena, "%s%s%s", library, *library && *set ? " " : "", set);
}

static json_t *operator_json(HeliaArena *arena, const HeliaOpClass *op)
{
    json_t *kernels = json_array();
    for (uint32_t i = 0; i < op->n_kernels; i++) {
        const HeliaKernel *k = &op->kernels[i];
        json_array_append_new(kernels, json_pack("{s:s,s:s,s:s}", "symbol", k->symbol, "types",
                                                 k->types ? k->types : "", "target", target_text(arena, k->isa)));
    }
    return json_pack("{s:s,s:s,s:o}", "type", op->type, "description", op->doc ? op->doc : "", "kernels", kernels);
}

static void print_operator(HeliaArena *arena, const HeliaOpClass *op)
{
    printf("%s%s%s\n", op->type, op->doc ? ": " : "", op->doc ? op->doc : "");
    for (uint32_t i = 0; i < op->n_kernels; i++)
        printf("    %-15s %-36s %s\n", target_text(arena, op->kernels[i].isa), op->kernels[i].symbol,
               op->kernels[i].types ? op->kernels[i].types : "");
    if (!op->n_kernels)
        printf("    %s\n", op->emit ? "own code" : "no code");
}

void cmd_operators_list(Invocation *v)
{
    ConfigPlugins none_configured = {0};
    const HeliaRegistryContext *registry = cmd_registry_context(v, &none_configured);
    if (!registry)
        return;
    const HeliaRegistry *classes = registry->aot_operator_classes;
    json_t *list = cmd_option(v, "json") ? json_array() : NULL;
    for (uint32_t i = 0; i < helia_registry_count(classes); i++) {
        const HeliaOpClass *op = helia_registry_get(classes, helia_registry_key(classes, i));
        if (list)
            json_array_append_new(list, operator_json(v->arena, op));
        else
            print_operator(v->arena, op);
    }
    if (list)
        cmd_print_json(v, list);
}
