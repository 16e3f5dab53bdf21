/* Configuration keys on the command line: --module.path out, --module.path=out, --force, --no-force. */
#include <string.h>

#include "config/keys.h"

/* Without "--", up to '=', '-' as '_'. */
static const char *plain_name(HeliaArena *arena, const char *arg)
{
    char *name = helia_strndup(arena, arg + 2, strcspn(arg + 2, "="));
    for (char *c = name; *c; c++)
        if (*c == '-')
            *c = '_';
    return name;
}

static HeliaLoc at_flag(const char *name)
{
    return helia_at_file(name);
}

/* The recorded configuration is UTF-8, so what goes into it has to be. */
static bool is_utf8(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t n = *p < 0x80                 ? 0
                     : *p >= 0xc2 && *p < 0xe0 ? 1
                     : *p >= 0xe0 && *p < 0xf0 ? 2
                     : *p >= 0xf0 && *p < 0xf5 ? 3
                                               : 9;
        if (n == 9)
            return false;
        uint32_t code = n == 0 ? *p : *p & (0x3fu >> n);
        for (p++; n > 0; n--, p++) {
            if ((*p & 0xc0) != 0x80)
                return false;
            code = code << 6 | (*p & 0x3fu);
            if (n == 1 && ((code >= 0xd800 && code < 0xe000) || code > 0x10ffff))
                return false;
        }
    }
    return true;
}

FlagResult config_flag(HeliaArena *arena, HeliaDiag *diag, ConfigFlags *flags, const char *arg, const char *next)
{
    const char *name = plain_name(arena, arg), *equals = strchr(arg, '=');
    const char *typed = helia_strndup(arena, arg, strcspn(arg, "="));
    uint32_t key = key_find(name);
    bool negated = false;
    if (key == UINT32_MAX && strncmp(name, "no_", 3) == 0) {
        key = key_find(name + 3);
        negated = true;
    }
    if (key == UINT32_MAX)
        return FLAG_UNKNOWN;
    const ConfigKey *k = &config_keys[key];
    ConfigFlag flag = {key, typed, NULL};
    FlagResult result = FLAG_TAKEN;
    if (negated && (k->kind != KEY_BOOL || equals)) {
        helia_error(diag, at_flag(typed),
                    k->kind == KEY_BOOL ? "takes no value" : "--no- is for switches; this key takes %s",
                    key_expected(arena, k));
        return FLAG_REFUSED;
    }
    if (equals) {
        flag.value = equals + 1;
    } else if (k->kind == KEY_BOOL) {
        flag.value = negated ? "false" : "true";
    } else {
        flag.value = next;
        result = FLAG_TAKEN_WITH_NEXT;
    }
    if (!flag.value || (result == FLAG_TAKEN_WITH_NEXT && strncmp(flag.value, "--", 2) == 0)) {
        helia_error(diag, at_flag(typed), "a value is missing; expected %s", key_expected(arena, k));
        return FLAG_REFUSED;
    }
    if (!is_utf8(flag.value)) {
        helia_error(diag, at_flag(typed), "the value is not UTF-8: \"%s\"", helia_printable(arena, flag.value));
        return result;
    }
    flag.value = helia_strdup(arena, flag.value);
    HELIA_PUSH(arena, flags, flag);
    return result;
}

const char *config_nearest_flag(HeliaArena *arena, const char *flag, uint32_t *distance)
{
    return helia_format(arena, "--%s", key_nearest(arena, plain_name(arena, flag), false, distance));
}
