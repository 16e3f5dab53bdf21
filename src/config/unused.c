/* Keys of the generated test that are given in vain. */
#include <string.h>

#include "config/keys.h"

static size_t value_size(const ConfigKey *key)
{
    switch (key->kind) {
    case KEY_ENUM:
    case KEY_INT:
        return sizeof(int32_t);
    case KEY_FLOAT:
        return sizeof(double);
    case KEY_BOOL:
        return sizeof(bool);
    case KEY_STRUCT:
        return key->structure->size;
    default:
        return sizeof(const char *);
    }
}

/* Is the value another one than the default? A recorded configuration states every default. */
static bool is_changed(HeliaArena *arena, HeliaDiag *diag, const Config *config, const ConfigKey *key)
{
    Config *defaults = HELIA_NEW(arena, Config);
    ConfigReader r = {arena, diag, NULL};
    if (key->fallback)
        key_read(&r, key, key->path, key_text_node(arena, key, key->fallback, HELIA_NOWHERE), defaults);
    return memcmp((const char *)config + key->offset, (const char *)defaults + key->offset, value_size(key)) != 0;
}

typedef struct Reason {
    bool holds;
    const char *text;
    const char *keys[5]; /* without effect where it holds; none: all but test.enabled */
} Reason;

static bool names(const Reason *reason, const char *path)
{
    if (!reason->keys[0])
        return strncmp(path, "test.", 5) == 0 && strcmp(path, "test.enabled") != 0;
    for (size_t i = 0; i < sizeof(reason->keys) / sizeof(reason->keys[0]) && reason->keys[i]; i++)
        if (strcmp(reason->keys[i], path) == 0)
            return true;
    return false;
}

void config_check_test(HeliaArena *arena, HeliaDiag *diag, const Config *config)
{
    const Reason reasons[] = {
        {!config->test.enabled, "test.enabled is false", {NULL}},
        {config->test.skip_verification,
         "test.skip_verification is true",
         {"test.tolerance", "test.float_tolerance", "test.reference", "test.litert_library"}},
        {config->test.golden_data != NULL,
         "test.golden_data has the expected outputs",
         {"test.reference", "test.litert_library"}},
        {config->test.reference != REFERENCE_LITERT, "test.reference is not litert", {"test.litert_library"}},
        {config->test.num_iterations == 1, "test.num_iterations is 1", {"test.state_feedback"}},
    };
    for (uint32_t i = 0; i < num_config_keys; i++)
        for (size_t k = 0; k < sizeof(reasons) / sizeof(reasons[0]); k++)
            if (reasons[k].holds && names(&reasons[k], config_keys[i].path) &&
                is_changed(arena, diag, config, &config_keys[i])) {
                helia_warn(diag, config_loc(config, config_keys[i].path), "%s has no effect: %s", config_keys[i].path,
                           reasons[k].text);
                break;
            }
}
