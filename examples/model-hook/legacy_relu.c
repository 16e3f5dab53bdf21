/* A model hook: before anything is parsed, operators of custom code "legacy-relu" become the RELU that they are. */
#include <helia_aot/plugin.h>

#include <string.h>

static bool run(const HeliaModelHook *self, LitertModel *model, HeliaDiag *diag)
{
    (void)self;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < model->operator_codes.len; i++) {
        LitertOpcode *code = &model->operator_codes.at[i];
        if (code->builtin_code != LITERT_OP_CUSTOM || !code->custom_code ||
            strcmp(code->custom_code, "legacy-relu") != 0)
            continue;
        *code = (LitertOpcode){litert_op_code("RELU"), NULL, 1};
        changed++;
    }
    helia_info(diag, 1, "legacy_relu: %u operator codes rewritten", changed);
    return true;
}

static const HeliaModelHook hook = {run, NULL};

static bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
    return helia_registry_register(context->litert_model_hooks, "legacy_relu", &hook, false);
}

HELIA_PLUGIN("legacy_relu", "1.0", customize)
