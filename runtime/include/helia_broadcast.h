/* Element-wise walk over two operands whose shapes are broadcast to the output's. The compiler drops dimensions of
 * size 1 and merges neighbours that both operands walk alike, so equal shapes and a scalar operand are one flat loop.
 */
#ifndef HELIA_BROADCAST_H
#define HELIA_BROADCAST_H

#include <stdint.h>

#define HELIA_BROADCAST_RANK 6

typedef struct helia_broadcast {
    int32_t rank;                           /* loops: 1 to HELIA_BROADCAST_RANK */
    int32_t dim[HELIA_BROADCAST_RANK];      /* outermost first; the innermost is one row of the output */
    int32_t stride_a[HELIA_BROADCAST_RANK]; /* elements; 0 where the operand is repeated */
    int32_t stride_b[HELIA_BROADCAST_RANK];
} helia_broadcast;

/* Where the operands of the current row begin; starts as zeros. */
typedef struct helia_broadcast_at {
    int32_t a, b;
    int32_t index[HELIA_BROADCAST_RANK];
} helia_broadcast_at;

/* Moves to the next row of the output; 0 after the last. */
static inline int32_t helia_broadcast_next(const helia_broadcast *s, helia_broadcast_at *at)
{
    for (int32_t d = s->rank - 2; d >= 0; d--) {
        at->a += s->stride_a[d];
        at->b += s->stride_b[d];
        if (++at->index[d] < s->dim[d])
            return 1;
        at->a -= s->stride_a[d] * s->dim[d];
        at->b -= s->stride_b[d] * s->dim[d];
        at->index[d] = 0;
    }
    return 0;
}

#endif
