/* The header of an .npy member: magic, version, and a Python dictionary with descr, fortran_order and shape. */
#ifndef SUPPORT_NPY_H
#define SUPPORT_NPY_H

#include "support/npz.h"

typedef struct NpyHeader {
    NpzArray array; /* kind, item, rank, dim, size */
    bool fortran_order;
    size_t length; /* bytes of the header: data begins here */
} NpyHeader;

/* NULL if the header is good, else what is wrong with it. */
const char *npy_read_header(const uint8_t *bytes, size_t size, NpyHeader *out);
/* Version 1.0, padded to a multiple of 64 bytes as numpy does. */
const char *npy_write_header(HeliaArena *arena, const NpzArray *array, size_t *length);
/* From Fortran to C order. */
void npy_to_c_order(const NpzArray *array, const uint8_t *from, uint8_t *to);

#endif
