/* The key table and look-ups in it. */
#include "config/keys.h"

#include <string.h>

#include "support/nearest.h"

#define RECORDED true
#define LOCAL false
#define KEY(path, kind, field, fallback, accepts, record, text)                                                        \
    {path, KEY_##kind, OFFSET_##kind(Config, field), fallback, accepts, .recorded = record, .doc = text},
const ConfigKey config_keys[] = {
#include "config/config_keys.inc"
};
#undef KEY
const uint32_t num_config_keys = sizeof(config_keys) / sizeof(config_keys[0]);

uint32_t key_find(const char *path)
{
    for (uint32_t i = 0; i < num_config_keys; i++)
        if (strcmp(config_keys[i].path, path) == 0)
            return i;
    return UINT32_MAX;
}

size_t key_section(const ConfigKey *key)
{
    const char *dot = strrchr(key->path, '.');
    return dot ? (size_t)(dot - key->path) : 0;
}

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

const char *key_nearest(HeliaArena *arena, const char *path, bool sections, uint32_t *distance)
{
    Nearest nearest = nearest_to(path);
    for (uint32_t i = 0; i < num_config_keys; i++) {
        const char *known = config_keys[i].path;
        size_t section = key_section(&config_keys[i]);
        nearest_offer(&nearest, known);
        nearest_offer_at(&nearest, known, edit_distance(last_name(path), last_name(known)) + 1);
        if (section && sections)
            nearest_offer(&nearest, helia_strndup(arena, known, section));
    }
    *distance = nearest.distance;
    return nearest.best;
}
