/* Overlapping frames added up, for the type `real` and its addition `add`. */
#ifndef HELIA_SIGNAL_OVERLAP_ADD_BODY_H
#define HELIA_SIGNAL_OVERLAP_ADD_BODY_H

#include "helia_signal_overlap_add.h"

#include <string.h>

static void overlap_add(const helia_signal_overlap_add_params *p, const real *in, real *overlap, real *out)
{
    const int32_t kept = p->size - p->step;
    for (int32_t r = 0; r < p->rows; r++) {
        for (int32_t f = 0; f < p->frames; f++) {
            for (int32_t i = 0; i < p->size; i++)
                overlap[i] = add(overlap[i], in[i]);
            memcpy(out, overlap, (size_t)p->step * sizeof(real));
            memmove(overlap, overlap + p->step, (size_t)kept * sizeof(real));
            for (int32_t i = kept; i < p->size; i++)
                overlap[i] = 0;
            in += p->size;
            out += p->step;
        }
        overlap += p->size;
    }
}

#endif
