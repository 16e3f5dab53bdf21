/* Blocks of bytes picked from the input at fixed steps, laid one behind the other: STRIDED_SLICE, SLICE, SPLIT, UNPACK and
 * TRANSPOSE of any element type. The compiler drops dimensions of size 1, merges those that lie together, and takes what is
 * contiguous as one block. */
#ifndef HELIA_STRIDED_COPY_H
#define HELIA_STRIDED_COPY_H

#include <stdint.h>

#define HELIA_STRIDED_COPY_RANK 6

typedef struct helia_strided_copy_params {
    int32_t rank;                            /* loops: 1 to HELIA_STRIDED_COPY_RANK */
    int32_t dim[HELIA_STRIDED_COPY_RANK];    /* outermost first */
    int32_t stride[HELIA_STRIDED_COPY_RANK]; /* bytes in the input; may be negative */
    int32_t offset;                          /* of the first block in the input, bytes */
    int32_t block;                           /* bytes */
} helia_strided_copy_params;

void helia_strided_copy_c(const helia_strided_copy_params *p, const void *restrict in, void *restrict out);

#endif
