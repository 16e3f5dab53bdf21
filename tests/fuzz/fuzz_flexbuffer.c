/* Any bytes as FlexBuffers: every value that can be reached is read, and nothing outside the bytes. */
#include <stdlib.h>
#include <string.h>

#include <helia_aot/flexbuffer.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Offsets may lead to the same place again and again: the number of visits is bounded, not the depth alone. */
static unsigned visits;

static void visit(const HeliaFlex *v, int depth)
{
    int64_t integer;
    double real;
    bool truth;
    const uint8_t *at;
    size_t len;
    if (depth > 16 || ++visits > 20000)
        return;
    helia_flex_int(v, &integer);
    helia_flex_float(v, &real);
    helia_flex_bool(v, &truth);
    if (helia_flex_bytes(v, &at, &len) && (at < v->bytes || len > v->size || at + len > v->bytes + v->size))
        abort();
    size_t n = helia_flex_count(v);
    for (size_t i = 0; i < n && visits <= 20000; i++) {
        HeliaFlex item;
        const char *key = helia_flex_key(v, i);
        if (key && (const uint8_t *)key + strlen(key) >= v->bytes + v->size)
            abort();
        if (key && i < 32)
            helia_flex_find(v, key, &item);
        if (helia_flex_item(v, i, &item))
            visit(&item, depth + 1);
    }
}

typedef struct Options {
    int32_t shift, word;
    int32_t taps[AIR_MAX_RANK];
    uint32_t n_taps;
    float rate;
    bool loop;
} Options;

static void quiet(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    (void)text;
}

static void read_options(const uint8_t *bytes, size_t size)
{
    static const char *const words[] = {"x", "y", NULL};
    static const HeliaField fields[] = {
        {"shift", HELIA_FIELD_INT, offsetof(Options, shift), 0, NULL},
        {"word", HELIA_FIELD_INT, offsetof(Options, word), 0, words},
        {"taps", HELIA_FIELD_INTS, offsetof(Options, taps), offsetof(Options, n_taps), NULL},
        {"rate", HELIA_FIELD_FLOAT, offsetof(Options, rate), 0, NULL},
        {"loop", HELIA_FIELD_BOOL, offsetof(Options, loop), 0, NULL},
    };
    static const HeliaOptionsClass options_class = {"Options", sizeof(Options), fields, 5};
    HeliaArena *arena = helia_arena_new(NULL);
    Options options = {0};
    LitertOp op = {.custom_options = {bytes, size}};
    HeliaParse p = {.op = &op, .arena = arena, .diag = helia_diag_new(arena, quiet, NULL, 0), .at = HELIA_NOWHERE};
    bool ok = helia_flex_options(&p, &options_class, &options);
    if (ok != (helia_diag_errors(p.diag) == 0) || options.n_taps > AIR_MAX_RANK || options.word < 0 || options.word > 1)
        abort();
    helia_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    HeliaFlex root;
    visits = 0;
    if (helia_flex_root(bytes, size, &root))
        visit(&root, 0);
    read_options(bytes, size);
    return 0;
}
