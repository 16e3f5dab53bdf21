/* Reading FlexBuffers: values by offsets backwards from where they stand, widths of 1 to 8 bytes, types in a byte. */
#include <helia_aot/flexbuffer.h>

#include <math.h>
#include <string.h>

enum {
    TYPE_NULL = 0,
    TYPE_INT = 1,
    TYPE_UINT = 2,
    TYPE_FLOAT = 3,
    TYPE_KEY = 4,
    TYPE_STRING = 5,
    TYPE_INDIRECT_INT = 6,
    TYPE_INDIRECT_UINT = 7,
    TYPE_INDIRECT_FLOAT = 8,
    TYPE_MAP = 9,
    TYPE_VECTOR = 10,
    TYPE_VECTOR_INT = 11, /* then of unsigned, float, key and, at 15, string */
    TYPE_VECTOR_STRING = 15,
    TYPE_FIXED_INT2 = 16, /* int, unsigned and float of 2, of 3 and of 4 elements */
    TYPE_FIXED_FLOAT4 = 24,
    TYPE_BLOB = 25,
    TYPE_BOOL = 26,
    TYPE_VECTOR_BOOL = 36
};

static bool in_bytes(const HeliaFlex *v, size_t at, size_t n)
{
    return at <= v->size && n <= v->size - at;
}

static bool read_uint(const HeliaFlex *v, size_t at, uint8_t width, uint64_t *value)
{
    if (!in_bytes(v, at, width))
        return false;
    *value = 0;
    for (uint8_t i = 0; i < width; i++)
        *value |= (uint64_t)v->bytes[at + i] << (8 * i);
    return true;
}

/* Where the offset that stands at `at` leads: backwards. */
static bool follow(const HeliaFlex *v, size_t at, uint8_t width, size_t *to)
{
    uint64_t offset;
    if (!read_uint(v, at, width, &offset) || offset > at)
        return false;
    *to = at - (size_t)offset;
    return true;
}

static bool is_inline(uint8_t type)
{
    return type <= TYPE_FLOAT || type == TYPE_BOOL;
}

/* The length in front of the first element; false where elements of `item` bytes would not be in the bytes. */
static bool read_length(const HeliaFlex *v, size_t item, size_t *n)
{
    uint64_t length;
    if (v->at < v->width || !read_uint(v, v->at - v->width, v->width, &length))
        return false;
    if (v->at > v->size || length > (v->size - v->at) / item)
        return false;
    *n = (size_t)length;
    return true;
}

static bool is_fixed(uint8_t type)
{
    return type >= TYPE_FIXED_INT2 && type <= TYPE_FIXED_FLOAT4;
}

/* Has a length, which is 0, and so ends where it begins. */
static bool is_empty(const HeliaFlex *v)
{
    size_t n;
    return v->type >= TYPE_MAP && !is_fixed(v->type) && read_length(v, 1, &n) && n == 0;
}

/* The value of that packed type which a slot of `width` bytes at `at` holds or leads to. */
static bool slot(const HeliaFlex *from, size_t at, uint8_t width, uint8_t packed, HeliaFlex *v)
{
    HeliaFlex made = {from->bytes, from->size, at, width, (uint8_t)(packed >> 2)};
    if (!in_bytes(from, at, width))
        return false;
    if (!is_inline(made.type)) {
        made.width = (uint8_t)(1u << (packed & 3u));
        if (!follow(from, at, width, &made.at) || (made.at == at && !is_empty(&made)))
            return false;
    }
    *v = made;
    return true;
}

bool helia_flex_root(const void *bytes, size_t size, HeliaFlex *root)
{
    const uint8_t *b = bytes;
    if (size < 3)
        return false;
    uint8_t width = b[size - 1];
    HeliaFlex whole = {b, size - 2, 0, 1, TYPE_NULL};
    if ((width != 1 && width != 2 && width != 4 && width != 8) || width > size - 2)
        return false;
    return slot(&whole, size - 2 - width, width, b[size - 2], root);
}

HeliaFlexKind helia_flex_kind(const HeliaFlex *v)
{
    switch (v->type) {
    case TYPE_INT:
    case TYPE_UINT:
    case TYPE_INDIRECT_INT:
    case TYPE_INDIRECT_UINT:
        return HELIA_FLEX_INT;
    case TYPE_FLOAT:
    case TYPE_INDIRECT_FLOAT:
        return HELIA_FLEX_FLOAT;
    case TYPE_KEY:
    case TYPE_STRING:
        return HELIA_FLEX_STRING;
    case TYPE_BOOL:
        return HELIA_FLEX_BOOL;
    case TYPE_BLOB:
        return HELIA_FLEX_BLOB;
    case TYPE_MAP:
        return HELIA_FLEX_MAP;
    default:
        return (v->type >= TYPE_VECTOR && v->type <= TYPE_FIXED_FLOAT4) || v->type == TYPE_VECTOR_BOOL
                   ? HELIA_FLEX_VECTOR
                   : HELIA_FLEX_NULL;
    }
}

/* ---- scalars ---------------------------------------------------------------------------------- */
static bool read_float(const HeliaFlex *v, double *value)
{
    uint64_t bits;
    if (!read_uint(v, v->at, v->width, &bits))
        return false;
    if (v->width == 8) {
        memcpy(value, &bits, sizeof(*value));
        return true;
    }
    if (v->width == 4) {
        uint32_t low = (uint32_t)bits;
        float single;
        memcpy(&single, &low, sizeof(single));
        *value = (double)single;
        return true;
    }
    return false; /* the format has no floats of other widths in use */
}

bool helia_flex_int(const HeliaFlex *v, int64_t *value)
{
    uint64_t bits;
    double real;
    switch (helia_flex_kind(v)) {
    case HELIA_FLEX_FLOAT:
        if (!read_float(v, &real) || !(real >= -9007199254740992.0 && real <= 9007199254740992.0) ||
            real != floor(real))
            return false;
        *value = (int64_t)real;
        return true;
    case HELIA_FLEX_BOOL:
    case HELIA_FLEX_INT:
        if (!read_uint(v, v->at, v->width, &bits))
            return false;
        if (v->type == TYPE_INT || v->type == TYPE_INDIRECT_INT) {
            uint64_t sign = (uint64_t)1 << (8 * v->width - 1);
            *value = (int64_t)((bits ^ sign) - sign);
            return true;
        }
        if (bits > INT64_MAX)
            return false;
        *value = (int64_t)bits;
        return true;
    default:
        return false;
    }
}

bool helia_flex_float(const HeliaFlex *v, double *value)
{
    int64_t integer;
    if (helia_flex_kind(v) == HELIA_FLEX_FLOAT)
        return read_float(v, value);
    if (helia_flex_kind(v) != HELIA_FLEX_INT || !helia_flex_int(v, &integer))
        return false;
    *value = (double)integer;
    return true;
}

bool helia_flex_bool(const HeliaFlex *v, bool *value)
{
    int64_t integer;
    HeliaFlexKind kind = helia_flex_kind(v);
    if ((kind != HELIA_FLEX_BOOL && kind != HELIA_FLEX_INT) || !helia_flex_int(v, &integer))
        return false;
    if (integer != 0 && integer != 1)
        return false;
    *value = integer != 0;
    return true;
}

/* ---- what has a length ------------------------------------------------------------------------ */
bool helia_flex_bytes(const HeliaFlex *v, const uint8_t **at, size_t *len)
{
    size_t n;
    if (v->type == TYPE_KEY) {
        const uint8_t *end = in_bytes(v, v->at, 1) ? memchr(v->bytes + v->at, 0, v->size - v->at) : NULL;
        if (!end)
            return false;
        n = (size_t)(end - (v->bytes + v->at));
    } else if (v->type == TYPE_STRING || v->type == TYPE_BLOB) {
        if (!read_length(v, 1, &n))
            return false;
        if (v->type == TYPE_STRING && (!in_bytes(v, v->at, n + 1) || v->bytes[v->at + n] != 0))
            return false;
    } else {
        return false;
    }
    *at = v->bytes + v->at;
    *len = n;
    return true;
}

size_t helia_flex_count(const HeliaFlex *v)
{
    HeliaFlexKind kind = helia_flex_kind(v);
    size_t n;
    if (kind != HELIA_FLEX_VECTOR && kind != HELIA_FLEX_MAP)
        return 0;
    if (is_fixed(v->type)) {
        n = 2u + (size_t)(v->type - TYPE_FIXED_INT2) / 3u;
        return in_bytes(v, v->at, n * v->width) ? n : 0;
    }
    bool has_types = v->type == TYPE_VECTOR || v->type == TYPE_MAP;
    return read_length(v, (size_t)v->width + has_types, &n) ? n : 0;
}

/* Packed type of the elements of a typed vector. Offsets lead to keys without a width and to strings of width 1. */
static uint8_t element_type(const HeliaFlex *v)
{
    uint8_t type = v->type == TYPE_VECTOR_BOOL ? TYPE_BOOL
                   : is_fixed(v->type)         ? (uint8_t)(TYPE_INT + (v->type - TYPE_FIXED_INT2) % 3)
                                               : (uint8_t)(TYPE_INT + (v->type - TYPE_VECTOR_INT));
    return (uint8_t)(type << 2);
}

bool helia_flex_item(const HeliaFlex *v, size_t index, HeliaFlex *item)
{
    size_t n = helia_flex_count(v);
    if (index >= n)
        return false;
    bool has_types = v->type == TYPE_VECTOR || v->type == TYPE_MAP;
    uint8_t packed = has_types ? v->bytes[v->at + n * v->width + index] : element_type(v);
    return slot(v, v->at + index * v->width, v->width, packed, item);
}

/* The vector of a map's keys: its offset and its width stand before the map's length. */
static bool keys_of(const HeliaFlex *map, HeliaFlex *keys)
{
    uint64_t width;
    size_t at;
    if (map->type != TYPE_MAP || map->at < 3u * map->width)
        return false;
    if (!follow(map, map->at - 3u * map->width, map->width, &at) ||
        !read_uint(map, map->at - 2u * map->width, map->width, &width) ||
        (width != 1 && width != 2 && width != 4 && width != 8))
        return false;
    *keys = (HeliaFlex){map->bytes, map->size, at, (uint8_t)width, TYPE_VECTOR_INT + 3};
    return true;
}

const char *helia_flex_key(const HeliaFlex *map, size_t index)
{
    HeliaFlex keys, key;
    const uint8_t *at;
    size_t len;
    if (!keys_of(map, &keys) || index >= helia_flex_count(map) || !helia_flex_item(&keys, index, &key) ||
        !helia_flex_bytes(&key, &at, &len))
        return NULL;
    return (const char *)at;
}

bool helia_flex_find(const HeliaFlex *map, const char *key, HeliaFlex *item)
{
    size_t n = helia_flex_count(map);
    for (size_t i = 0; i < n; i++) {
        const char *name = helia_flex_key(map, i);
        if (name && strcmp(name, key) == 0)
            return helia_flex_item(map, i, item);
    }
    return false;
}
