/* Templates: whole-file skeletons with @KEY@; everything that repeats is made in C and handed in as a value. */
#include "emit/emit_int.h"

#include <ctype.h>
#include <string.h>

static const TemplateKey *find_key(const TemplateKey *keys, uint32_t n, const char *name, size_t length)
{
    for (uint32_t i = 0; i < n; i++)
        if (strlen(keys[i].key) == length && memcmp(keys[i].key, name, length) == 0)
            return &keys[i];
    return NULL;
}

/* Length of the key that begins behind an '@', or 0. */
static size_t key_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    return at[n] == '@' ? n : 0;
}

const char *text_expand(HeliaArena *arena, HeliaDiag *diag, const char *name, const char *text, const TemplateKey *keys,
                        uint32_t n)
{
    HeliaOut *o = helia_out_new(arena);
    bool line_start = true;
    while (*text) {
        size_t length = *text == '@' ? key_length(text + 1) : 0;
        if (!length) {
            size_t plain = strcspn(text + 1, "@\n") + 1;
            if (*text == '\n')
                plain = 1;
            helia_out_text(o, text, plain);
            line_start = text[plain - 1] == '\n';
            text += plain;
            continue;
        }
        const TemplateKey *key = find_key(keys, n, text + 1, length);
        if (!key) {
            helia_error(diag, HELIA_NOWHERE, "internal: the template %s has the unknown key %.*s", name, (int)length,
                        text + 1);
            return NULL;
        }
        helia_out_text(o, key->value, strlen(key->value));
        text += length + 2;
        if (line_start && *text == '\n' && (!*key->value || key->value[strlen(key->value) - 1] == '\n'))
            text++; /* the value stands for whole lines */
        else
            line_start = false;
    }
    return helia_out_string(o, NULL);
}

const char *template_expand(HeliaArena *arena, HeliaDiag *diag, const char *name, const TemplateKey *keys, uint32_t n)
{
    const EmbeddedFile *file = embedded_find(helia_format(arena, "src/emit/templates/%s", name));
    if (!file) {
        helia_error(diag, HELIA_NOWHERE, "internal: the template %s is missing", name);
        return NULL;
    }
    return text_expand(arena, diag, name, (const char *)file->bytes, keys, n);
}
