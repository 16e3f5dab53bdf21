/* numpy's .npz archives: named arrays in a zip. Data is held in C order, little-endian. */
#ifndef SUPPORT_NPZ_H
#define SUPPORT_NPZ_H

#include <helia_aot/support.h>

enum { NPZ_MAX_RANK = 16 };

typedef struct NpzArray {
    const char *name;  /* without ".npy" */
    const char *fault; /* why it cannot be used; NULL: it can, and the fields below are set */
    char kind;         /* 'i' signed, 'u' unsigned, 'f' float, 'b' boolean */
    uint32_t item;     /* bytes an element */
    int32_t rank;
    int64_t dim[NPZ_MAX_RANK];
    const void *data; /* not aligned: to be copied */
    size_t size;      /* bytes of data */
} NpzArray;
typedef HELIA_VEC(NpzArray) Npz;

/* Stored and deflated members, npy 1.0 to 3.0, C and Fortran order. False after reporting. A member that is no usable
 * array (of texts, damaged) has its fault told instead, because nobody may want it. */
bool npz_read(HeliaArena *arena, HeliaDiag *diag, const char *path, Npz *out);
/* Stored members in the given order with a fixed time: the same arrays are the same bytes on every machine. */
bool npz_write(HeliaArena *arena, HeliaDiag *diag, const char *path, const Npz *npz);

const NpzArray *npz_find(const Npz *npz, const char *name);           /* NULL: no such array */
const char *npz_type_text(HeliaArena *arena, const NpzArray *array);  /* "<f4" */
const char *npz_shape_text(HeliaArena *arena, const NpzArray *array); /* "(1, 10)" */

#endif
