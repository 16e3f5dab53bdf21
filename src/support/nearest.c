/* Edit distance between short words. */
#include "support/nearest.h"

#include <string.h>

enum { LONGEST = 63 }; /* longer words are compared by their beginning */

static int plain(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 'a';
    return c == '-' ? '_' : c;
}

static uint32_t min2(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t edit_distance(const char *a, const char *b)
{
    uint32_t rows[3][LONGEST + 1]; /* the two rows before and the current one, in turn */
    uint32_t n = (uint32_t)strnlen(a, LONGEST), m = (uint32_t)strnlen(b, LONGEST);
    for (uint32_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        now[0] = i;
        for (uint32_t j = 1; j <= m; j++) {
            int x = plain(a[i - 1]), y = plain(b[j - 1]);
            uint32_t d = above[j - 1] + (x != y);
            d = min2(d, min2(above[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && x == plain(b[j - 2]) && y == plain(a[i - 2]))
                d = min2(d, above2[j - 2] + 1);
            now[j] = d;
        }
    }
    return rows[n % 3][m];
}

void nearest_offer_at(Nearest *nearest, const char *candidate, uint32_t distance)
{
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}

void nearest_offer(Nearest *nearest, const char *candidate)
{
    nearest_offer_at(nearest, candidate, edit_distance(nearest->word, candidate));
}
