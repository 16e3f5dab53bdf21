/* Options of custom operators as the models of examples and tests have them: a FlexBuffers map of numbers and texts. */
#ifndef EXAMPLES_FLEX_H
#define EXAMPLES_FLEX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Types of the format. */
enum { FLEX_INT = 1, FLEX_UINT = 2, FLEX_FLOAT = 3, FLEX_STRING = 5, FLEX_MAP = 9, FLEX_BOOL = 26 };
enum { FLEX_MAX = 1024, FLEX_MAX_KEYS = 10 };

typedef struct FlexEntry {
    const char *key;
    uint32_t type;
    uintptr_t value; /* a number, of a float its bits; of a FLEX_STRING the address of its text */
} FlexEntry;

static inline uint8_t *flex_put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static inline uint8_t *flex_align(uint8_t *at, const uint8_t *bytes)
{
    while ((at - bytes) % 4)
        *at++ = 0;
    return at;
}

/* Writes up to FLEX_MAX bytes and returns their number. The keys are sorted bytewise. All elements have 4 bytes; offsets
 * are the way back from where they stand. */
static inline size_t flex_map(uint8_t *bytes, const FlexEntry *entries, uint32_t n)
{
    uint8_t *at = bytes, *key_at[FLEX_MAX_KEYS], *text_at[FLEX_MAX_KEYS] = {NULL}, *keys_at, *map_at;
    for (uint32_t i = 0; i < n; i++) {
        key_at[i] = at;
        strcpy((char *)at, entries[i].key);
        at += strlen(entries[i].key) + 1;
    }
    for (uint32_t i = 0; i < n; i++)
        if (entries[i].type == FLEX_STRING) {
            const char *text = (const char *)entries[i].value;
            text_at[i] = at = flex_put32(flex_align(at, bytes), (uint32_t)strlen(text));
            strcpy((char *)at, text);
            at += strlen(text) + 1;
        }
    at = flex_align(at, bytes);
    keys_at = at = flex_put32(at, n);
    for (uint32_t i = 0; i < n; i++)
        at = flex_put32(at, (uint32_t)(at - key_at[i]));
    at = flex_put32(at, (uint32_t)(at - keys_at));
    at = flex_put32(at, 4); /* bytes of an offset to a key */
    map_at = at = flex_put32(at, n);
    for (uint32_t i = 0; i < n; i++)
        at = flex_put32(at, text_at[i] ? (uint32_t)(at - text_at[i]) : (uint32_t)entries[i].value);
    for (uint32_t i = 0; i < n; i++)
        *at++ = (uint8_t)(entries[i].type << 2 | 2u);
    *at = (uint8_t)(at - map_at);
    at[1] = FLEX_MAP << 2 | 2;
    at[2] = 1; /* bytes of the offset to the map */
    return (size_t)(at + 3 - bytes);
}

#endif
