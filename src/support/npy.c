/* .npy headers. */
#include "support/npy.h"

#include <string.h>

#include "support/file.h"

static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
enum { PREAMBLE = 10 }; /* magic, version, a 16-bit header length; 12 from version 2.0 on */

/* The dictionary's text, read from left to right. */
typedef struct Scan {
    const char *p, *end;
} Scan;

static void skip_space(Scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r'))
        s->p++;
}

static bool take(Scan *s, char c)
{
    skip_space(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

/* 'text' or "text". */
static bool take_string(Scan *s, char *out, size_t capacity)
{
    char quote = take(s, '\'') ? '\'' : take(s, '"') ? '"' : 0;
    size_t n = 0;
    if (!quote)
        return false;
    for (; s->p < s->end && *s->p != quote; s->p++) {
        if (n + 1 >= capacity)
            return false;
        out[n++] = *s->p;
    }
    out[n] = 0;
    return take(s, quote);
}

static bool take_bool(Scan *s, bool *value)
{
    skip_space(s);
    size_t left = (size_t)(s->end - s->p);
    *value = left >= 4 && memcmp(s->p, "True", 4) == 0;
    if (!*value && !(left >= 5 && memcmp(s->p, "False", 5) == 0))
        return false;
    s->p += *value ? 4 : 5;
    return true;
}

static bool take_shape(Scan *s, NpzArray *array)
{
    if (!take(s, '('))
        return false;
    while (!take(s, ')')) {
        skip_space(s);
        int64_t n = 0;
        const char *first = s->p;
        for (; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++) {
            n = n * 10 + (*s->p - '0');
            if (n > INT32_MAX)
                return false;
        }
        if (s->p == first || array->rank == NPZ_MAX_RANK)
            return false;
        if (s->p < s->end && *s->p == 'L') /* written by Python 2 */
            s->p++;
        array->dim[array->rank++] = n;
        if (!take(s, ',') && (skip_space(s), s->p == s->end || *s->p != ')'))
            return false;
    }
    return true;
}

static const char *read_type(const char *descr, NpzArray *array)
{
    if (strlen(descr) != 3 || !strchr("<|=>", descr[0]) || descr[2] < '1' || descr[2] > '9')
        return "its element type is no plain number";
    array->kind = descr[1];
    array->item = (uint32_t)(descr[2] - '0');
    uint32_t n = array->item;
    bool known = array->kind == 'b' ? n == 1
                 : array->kind == 'f'
                     ? n == 2 || n == 4 || n == 8
                     : (array->kind == 'i' || array->kind == 'u') && (n == 1 || n == 2 || n == 4 || n == 8);
    if (!known)
        return "its element type is none of b1, i1 to i8, u1 to u8, f2 to f8";
    return descr[0] == '>' && n > 1 ? "its elements are big-endian; little-endian ones are expected" : NULL;
}

static const char *read_dictionary(Scan *s, NpyHeader *out)
{
    bool type = false, order = false, shape = false;
    if (!take(s, '{'))
        return "its header is no dictionary";
    while (!take(s, '}')) {
        char key[32], descr[32];
        if (!take_string(s, key, sizeof(key)) || !take(s, ':'))
            return "its header is malformed";
        if (strcmp(key, "descr") == 0 && !type) {
            type = true;
            if (!take_string(s, descr, sizeof(descr)))
                return "its element type is no plain number";
            const char *fault = read_type(descr, &out->array);
            if (fault)
                return fault;
        } else if (strcmp(key, "fortran_order") == 0 && !order) {
            order = true;
            if (!take_bool(s, &out->fortran_order))
                return "its header is malformed";
        } else if (strcmp(key, "shape") == 0 && !shape) {
            shape = true;
            if (!take_shape(s, &out->array))
                return "its shape is malformed";
        } else {
            return "its header has an unknown or repeated entry";
        }
        if (!take(s, ',') && (skip_space(s), s->p == s->end || *s->p != '}'))
            return "its header is malformed";
    }
    return type && order && shape ? NULL : "its header lacks descr, fortran_order or shape";
}

const char *npy_read_header(const uint8_t *bytes, size_t size, NpyHeader *out)
{
    memset(out, 0, sizeof(*out));
    if (size < PREAMBLE || memcmp(bytes, magic, sizeof(magic)) != 0)
        return "it is no .npy array";
    if (bytes[6] < 1 || bytes[6] > 3)
        return "its .npy version is none of 1.0, 2.0, 3.0";
    size_t preamble = bytes[6] == 1 ? PREAMBLE : PREAMBLE + 2;
    if (size < preamble)
        return "its header is cut off";
    size_t n = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] > 1)
        n |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (n > size - preamble)
        return "its header is cut off";
    out->length = preamble + n;
    Scan s = {(const char *)bytes + preamble, (const char *)bytes + out->length};
    const char *fault = read_dictionary(&s, out);
    if (fault)
        return fault;
    size_t total = out->array.item;
    for (int32_t i = 0; i < out->array.rank; i++)
        if (!checked_mul(total, (size_t)out->array.dim[i], &total))
            return "its shape is too large";
    out->array.size = total;
    return NULL;
}

const char *npy_write_header(HeliaArena *arena, const NpzArray *array, size_t *length)
{
    const char *text = helia_format(arena, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                                    npz_type_text(arena, array), npz_shape_text(arena, array));
    size_t n = strlen(text), total = (PREAMBLE + n + 1 + 63) / 64 * 64;
    uint8_t *header = helia_alloc(arena, total, 1);
    memcpy(header, magic, sizeof(magic));
    header[6] = 1;
    header[8] = (uint8_t)(total - PREAMBLE);
    header[9] = (uint8_t)((total - PREAMBLE) >> 8);
    memset(header + PREAMBLE, ' ', total - PREAMBLE);
    memcpy(header + PREAMBLE, text, n);
    header[total - 1] = '\n';
    *length = total;
    return (const char *)header;
}

void npy_to_c_order(const NpzArray *array, const uint8_t *from, uint8_t *to)
{
    int64_t index[NPZ_MAX_RANK] = {0}, stride[NPZ_MAX_RANK]; /* of the source, in elements */
    int64_t step = 1;
    for (int32_t i = 0; i < array->rank; i++) {
        stride[i] = step;
        step *= array->dim[i];
    }
    int64_t at = 0;
    for (size_t done = 0; done < array->size; done += array->item) {
        memcpy(to + done, from + (size_t)at * array->item, array->item);
        for (int32_t i = array->rank - 1; i >= 0; i--) {
            at += stride[i];
            if (++index[i] < array->dim[i])
                break;
            at -= stride[i] * array->dim[i];
            index[i] = 0;
        }
    }
}
