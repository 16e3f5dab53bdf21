/* FlexBuffers, the schema-less format in which LiteRT stores the options of custom operators. Nothing is unpacked or
 * allocated: a HeliaFlex is a place in the bytes, which must outlive it. Every access is checked against the bytes, so
 * hostile ones give absent values, never a read outside. */
#ifndef HELIA_AOT_FLEXBUFFER_H
#define HELIA_AOT_FLEXBUFFER_H

#include <helia_aot/op.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HeliaFlexKind {
    HELIA_FLEX_NULL, /* also what is broken or absent */
    HELIA_FLEX_INT,
    HELIA_FLEX_FLOAT,
    HELIA_FLEX_BOOL,
    HELIA_FLEX_STRING, /* and keys */
    HELIA_FLEX_BLOB,
    HELIA_FLEX_VECTOR,
    HELIA_FLEX_MAP
} HeliaFlexKind;

typedef struct HeliaFlex {
    const uint8_t *bytes;
    size_t size;
    size_t at;     /* of the value itself, or of the first element behind the offset to it */
    uint8_t width; /* of the value, or of an element: 1, 2, 4, 8 */
    uint8_t type;  /* as in the format */
} HeliaFlex;

/* False: these are no FlexBuffers. */
bool helia_flex_root(const void *bytes, size_t size, HeliaFlex *root);
HeliaFlexKind helia_flex_kind(const HeliaFlex *v);
/* The value, if it is of that kind; false and *value untouched otherwise. An integer is accepted as a float, an integer
 * and a float with an integral value as an integer, 0 and 1 as a bool; unsigned numbers above INT64_MAX are refused. */
bool helia_flex_int(const HeliaFlex *v, int64_t *value);
bool helia_flex_float(const HeliaFlex *v, double *value);
bool helia_flex_bool(const HeliaFlex *v, bool *value);
/* Text or blob in the bytes themselves; text is not checked for UTF-8 and has a NUL behind it. */
bool helia_flex_bytes(const HeliaFlex *v, const uint8_t **at, size_t *len);
/* Elements of a vector or map; 0 for other kinds. */
size_t helia_flex_count(const HeliaFlex *v);
/* An element of a vector, or a value of a map in the order of its keys. */
bool helia_flex_item(const HeliaFlex *v, size_t index, HeliaFlex *item);
/* Keys are sorted bytewise. NULL: no such key. */
const char *helia_flex_key(const HeliaFlex *map, size_t index);
bool helia_flex_find(const HeliaFlex *map, const char *key, HeliaFlex *item);

/* For parsers: the operator's custom options, a map, into the fields of an options class by their names. A field that
 * the map does not have keeps its value; a key that is no field, and a value that does not fit its field, are
 * reported. No options at all are an empty map. */
bool helia_flex_options(HeliaParse *p, const HeliaOptionsClass *options_class, void *options);

#ifdef __cplusplus
}
#endif
#endif
