/* CAST between element types. Integers wrap; floats are truncated and saturate, and NaN becomes 0; to bool: whether it is not
 * 0. */
#ifndef HELIA_CAST_H
#define HELIA_CAST_H

#include <stdint.h>

enum {
    HELIA_CAST_BOOL,
    HELIA_CAST_S8,
    HELIA_CAST_U8,
    HELIA_CAST_S16,
    HELIA_CAST_U16,
    HELIA_CAST_S32,
    HELIA_CAST_U32,
    HELIA_CAST_S64,
    HELIA_CAST_F32
};

typedef struct helia_cast_params {
    int32_t count;    /* elements */
    int32_t from, to; /* HELIA_CAST_ */
} helia_cast_params;

void helia_cast_c(const helia_cast_params *p, const void *restrict in, void *restrict out);

#endif
