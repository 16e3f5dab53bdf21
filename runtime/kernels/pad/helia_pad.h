/* PAD and PADV2: the input in the middle of an output filled with one value. Any element type: all sizes are bytes. */
#ifndef HELIA_PAD_H
#define HELIA_PAD_H

#include <stdint.h>

#define HELIA_PAD_RANK 6

/* Dimensions without padding are merged into the one before them. The last one counts bytes, the others steps of it. */
typedef struct helia_pad_params {
    int32_t rank;                   /* 1 to HELIA_PAD_RANK */
    int32_t in[HELIA_PAD_RANK];     /* extents of the input */
    int32_t before[HELIA_PAD_RANK]; /* filled in front of it ... */
    int32_t after[HELIA_PAD_RANK];  /* ... and behind it */
    int32_t element;                /* bytes of an element: 1, 2, 4 or 8 */
    int32_t fill;                   /* each byte of the filling where `value` is NULL: 0 to 255 */
} helia_pad_params;

/* value: one element to fill with, or NULL. */
void helia_pad_c(const helia_pad_params *p, const void *restrict in, const void *restrict value, void *restrict out);

#endif
