/* Writes a model with one operator of custom code "fir": taps 1, 2, 1 and shift 2 as FlexBuffers, three rows of
 * history. make_model OUT.tflite [unknown-key | broken | short-history | big-shift] */
#include "models.h"

typedef struct Flex {
    uint8_t at[128];
    uint8_t len;
} Flex;

static uint8_t put(Flex *f, const void *bytes, size_t n)
{
    memcpy(f->at + f->len, bytes, n);
    f->len = (uint8_t)(f->len + n);
    return (uint8_t)(f->len - n);
}

static void put_byte(Flex *f, int value)
{
    uint8_t byte = (uint8_t)value;
    put(f, &byte, 1);
}

/* The map {key: shift, "taps": [...]}, all values a byte wide: an offset is the way back from where it stands. Keys are
 * sorted, so `key` comes before "taps". */
static Flex options(const char *key, int shift, const int8_t *taps, uint8_t n)
{
    enum { INT = 1 << 2, VECTOR_INT = 11 << 2, MAP = 9 << 2 };
    Flex f = {{0}, 0};
    uint8_t key_at = put(&f, key, strlen(key) + 1), taps_key_at = put(&f, "taps", 5);
    put_byte(&f, n);
    uint8_t taps_at = put(&f, taps, n);
    put_byte(&f, 2);
    uint8_t keys_at = f.len;
    put_byte(&f, f.len - key_at);
    put_byte(&f, f.len - taps_key_at);
    put_byte(&f, f.len - keys_at);
    put_byte(&f, 1);
    put_byte(&f, 2);
    uint8_t map_at = f.len;
    put_byte(&f, shift);
    put_byte(&f, f.len - taps_at);
    put_byte(&f, INT);
    put_byte(&f, VECTOR_INT);
    put_byte(&f, f.len - map_at);
    put_byte(&f, MAP);
    put_byte(&f, 1);
    return f;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const char *how = argc > 2 ? argv[2] : "";
    static const int8_t taps[] = {1, 2, 1};
    Flex flex = options(strcmp(how, "unknown-key") == 0 ? "shifs" : "shift", strcmp(how, "big-shift") == 0 ? 99 : 2,
                        taps, 3);
    Builder b = builder_new("a filter over time");
    int32_t in = builder_tensor(&b, "frame", TYPE_INT8, INTS(&b, 1, 4), 0.5f, 0);
    int32_t rows = strcmp(how, "short-history") == 0 ? 2 : 3;
    int32_t history = builder_tensor(&b, "history", TYPE_INT8, INTS(&b, rows, 4), 0.5f, 0);
    int32_t out = builder_tensor(&b, "filtered", TYPE_INT8, INTS(&b, 1, 4), 0.5f, 0);
    builder_graph(&b)->tensors.at[history].is_variable = true;
    LitertOp *op = builder_op(&b, NULL, "fir", INTS(&b, in, history), INTS(&b, out));
    size_t size = strcmp(how, "broken") == 0 ? 2u : flex.len;
    op->custom_options = (LitertBytes){(const uint8_t *)helia_memdup(b.arena, flex.at, size), size};
    builder_interface(&b, INTS(&b, in), INTS(&b, out));
    return builder_finish(&b, argv[1]);
}
