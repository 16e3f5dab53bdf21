/* operators list: what is registered, with the kernels of each operator, best first. */
#include <jansson.h>
#include <string.h>

#include "cmd.h"

static const char *isa_text(uint32_t isa)
{
    return isa & HELIA_ISA_MVE_FP ? "mve_fp"
           : isa & HELIA_ISA_MVE  ? "mve"
           : isa & HELIA_ISA_DSP  ? "dsp"
           : isa & HELIA_ISA_FP16 ? "fp16"
           : isa & HELIA_ISA_FPU  ? "fpu"
           : isa & HELIA_ISA_X86  ? "x86"
                                  : "portable";
}

static json_t *operator_json(const HeliaOpClass *op)
{
    json_t *kernels = json_array();
    for (uint32_t i = 0; i < op->n_kernels; i++) {
        const HeliaKernel *k = &op->kernels[i];
        json_array_append_new(kernels, json_pack("{s:s,s:s,s:s}", "symbol", k->symbol, "types",
                                                 k->types ? k->types : "", "target", isa_text(k->isa)));
    }
    return json_pack("{s:s,s:s,s:o}", "type", op->type, "description", op->doc ? op->doc : "", "kernels", kernels);
}

static void print_operator(const HeliaOpClass *op)
{
    printf("%s: %s\n", op->type, op->doc ? op->doc : "");
    for (uint32_t i = 0; i < op->n_kernels; i++)
        printf("    %-8s %-32s %s\n", isa_text(op->kernels[i].isa), op->kernels[i].symbol,
               op->kernels[i].types ? op->kernels[i].types : "");
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
            json_array_append_new(list, operator_json(op));
        else
            print_operator(op);
    }
    if (list)
        cmd_print_json(v, list);
}
