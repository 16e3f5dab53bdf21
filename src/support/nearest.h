/* The known word nearest to a mistyped one, for messages. */
#ifndef SUPPORT_NEAREST_H
#define SUPPORT_NEAREST_H

#include <stdint.h>

typedef struct Nearest {
    const char *word;
    const char *best; /* NULL: nothing was offered */
    uint32_t distance;
} Nearest;

static inline Nearest nearest_to(const char *word)
{
    return (Nearest){word, 0, UINT32_MAX};
}

/* Insertions, deletions, substitutions and swaps of neighbours; case is ignored and '-' equals '_'. */
uint32_t edit_distance(const char *a, const char *b);
/* The first one offered wins among equals. */
void nearest_offer(Nearest *nearest, const char *candidate);
void nearest_offer_at(Nearest *nearest, const char *candidate, uint32_t distance);

#endif
