/* The options of the audio front-end's operators: which keys each needs, and what else is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "audio_frontend.h"
#include "flex.h"

enum { MAX_KEYS = 9 };

/* Keys in the order of their bytes, as in a map. */
static const struct {
    const char *op;
    const char *keys[MAX_KEYS];
} operators[] = {
    {"SIGNALWINDOW", {"shift"}},
    {"SIGNALRFFT", {"T", "fft_length"}},
    {"SIGNALIRFFT", {"T", "fft_length"}},
    {"SIGNALENERGY", {"end_index", "start_index"}},
    {"SIGNALFILTERBANK", {"num_channels"}},
    {"SIGNALFILTERBANKSPECTRALSUBTRACTION",
     {"alternate_one_minus_smoothing", "alternate_smoothing", "clamping", "min_signal_remaining", "num_channels",
      "one_minus_smoothing", "smoothing", "smoothing_bits", "spectral_subtraction_bits"}},
    {"SIGNALPCAN", {"snr_shift"}},
    {"SIGNALFILTERBANKLOG", {"input_correction_bits", "output_scale"}},
    {"SIGNALDELAY", {"delay_length"}},
    {"SIGNALSTACKER", {"num_channels", "stacker_left_context", "stacker_right_context", "stacker_step"}},
    {"SIGNALFRAMER", {"frame_size", "frame_step", "prefill"}},
    {"SIGNALOVERLAPADD", {"T", "frame_step"}},
};
enum { N_OPERATORS = sizeof(operators) / sizeof(operators[0]) };

static bool is_bool(const char *key)
{
    return strcmp(key, "clamping") == 0 || strcmp(key, "prefill") == 0;
}

/* ---- parsing ---------------------------------------------------------------------------------- */
static HeliaArena *arena;
static HeliaDiag *diag;
static HeliaRegistryContext *registry;
static char messages[4096];

static void to_messages(void *user, HeliaSeverity severity, const char *text)
{
    (void)user, (void)severity;
    strncat(messages, text, sizeof(messages) - strlen(messages) - 2);
    strcat(messages, "\n");
}

/* The parsed options, zeros where none were read. NULL: refused. */
static const void *parse_bytes(const char *op_type, const uint8_t *bytes, size_t size)
{
    const HeliaLitertParser *parser = helia_registry_get(registry->litert_parsers, op_type);
    const HeliaOptionsClass *c = helia_registry_get(registry->air_options, op_type);
    LitertOp op = {.custom_options = {helia_memdup(arena, bytes, size), size}};
    HeliaParse p = {.op = &op, .arena = arena, .diag = diag, .at = HELIA_NOWHERE};
    AirNode node = {.options = helia_alloc(arena, c->size, 1)};
    messages[0] = 0;
    return parser->parse(parser, &p, &node) ? node.options : NULL;
}

static const void *parse(const char *op_type, const FlexEntry *entries, uint32_t n)
{
    uint8_t bytes[FLEX_MAX];
    return parse_bytes(op_type, bytes, flex_map(bytes, entries, n));
}

static void refused(const char *op_type, const FlexEntry *entries, uint32_t n, const char *why)
{
    assert_null(parse(op_type, entries, n));
    if (!strstr(messages, why))
        fail_msg("expected \"%s\", the message is \"%s\"", why, messages);
}

/* What an options class says of a key. */
static const HeliaField *field_of(const HeliaOptionsClass *c, const char *key)
{
    for (uint32_t i = 0; i < c->n_fields; i++)
        if (strcmp(c->fields[i].name, key) == 0)
            return &c->fields[i];
    return NULL;
}

static uint32_t whole_map(FlexEntry *entries, int op)
{
    uint32_t n = 0;
    for (; n < MAX_KEYS && operators[op].keys[n]; n++)
        entries[n] = (FlexEntry){operators[op].keys[n], is_bool(operators[op].keys[n]) ? FLEX_BOOL : FLEX_INT, 1};
    return n;
}

/* ---- tests ------------------------------------------------------------------------------------ */
/* Each value reaches the field of its name. */
static void values(void **state)
{
    (void)state;
    for (int op = 0; op < N_OPERATORS; op++) {
        FlexEntry entries[MAX_KEYS + 1];
        const uint32_t n = whole_map(entries, op);
        const HeliaOptionsClass *c = helia_registry_get(registry->air_options, operators[op].op);
        assert_int_equal(c->n_fields, n);
        for (uint32_t i = 0; i < n; i++)
            entries[i].value = entries[i].type == FLEX_BOOL ? 1u : 1000u * i - 7u; /* -7 is the first */
        const char *options = parse(operators[op].op, entries, n);
        assert_non_null(options);
        for (uint32_t i = 0; i < n; i++) {
            const HeliaField *field = field_of(c, entries[i].key);
            assert_non_null(field);
            if (field->kind == HELIA_FIELD_BOOL)
                assert_true(*(const bool *)(const void *)(options + field->offset));
            else
                assert_int_equal(*(const uint32_t *)(const void *)(options + field->offset), entries[i].value);
        }
    }
}

static void missing_keys(void **state)
{
    (void)state;
    for (int op = 0; op < N_OPERATORS; op++) {
        FlexEntry entries[MAX_KEYS + 1];
        const uint32_t n = whole_map(entries, op);
        for (uint32_t absent = 0; absent < n; absent++) {
            const FlexEntry left_out = entries[absent];
            memmove(&entries[absent], &entries[absent + 1], (n - 1 - absent) * sizeof(*entries));
            if (strcmp(left_out.key, "T") == 0)
                assert_non_null(parse(operators[op].op, entries, n - 1));
            else
                refused(operators[op].op, entries, n - 1, helia_format(arena, ": %s is missing", left_out.key));
            memmove(&entries[absent + 1], &entries[absent], (n - 1 - absent) * sizeof(*entries));
            entries[absent] = left_out;
        }
        assert_non_null(parse(operators[op].op, entries, n));
    }
}

/* The reference would read a float's bit pattern, and an offset in place of text. */
static void other_kinds(void **state)
{
    (void)state;
    for (int op = 0; op < N_OPERATORS; op++) {
        FlexEntry entries[MAX_KEYS + 1];
        const uint32_t n = whole_map(entries, op);
        for (uint32_t i = 0; i < n; i++) {
            const FlexEntry kept = entries[i];
            entries[i].type = FLEX_FLOAT;
            entries[i].value = 0x3f800000u;
            refused(operators[op].op, entries, n, helia_format(arena, ": %s is a real number; expected", kept.key));
            entries[i] = kept;
        }
    }
    /* A boolean may be an integer, an integer may be unsigned. */
    static const FlexEntry framer[] = {
        {"frame_size", FLEX_UINT, 8}, {"frame_step", FLEX_INT, 4}, {"prefill", FLEX_INT, 2}};
    assert_non_null(parse("SIGNALFRAMER", framer, 3));
    static const FlexEntry flag[] = {{"delay_length", FLEX_BOOL, 1}};
    refused("SIGNALDELAY", flag, 1, "delay_length is a boolean; expected an integer");
}

/* Where a key stands does not matter, as it does in the reference: the map's keys are looked up. */
static void further_keys(void **state)
{
    (void)state;
    for (int op = 0; op < N_OPERATORS; op++) {
        FlexEntry entries[MAX_KEYS + 1] = {{"A", FLEX_FLOAT, 0}};
        const uint32_t n = whole_map(entries + 1, op);
        const char *with = parse(operators[op].op, entries, n + 1), *without = parse(operators[op].op, entries + 1, n);
        const HeliaOptionsClass *c = helia_registry_get(registry->air_options, operators[op].op);
        assert_non_null(with);
        assert_memory_equal(with, without, c->size);
    }
}

static void no_map(void **state)
{
    (void)state;
    static const uint8_t number[] = {5, 4, 1}; /* FlexBuffers of one integer */
    for (int op = 0; op < N_OPERATORS; op++)
        for (size_t size = 0; size <= sizeof(number); size++) {
            assert_null(parse_bytes(operators[op].op, number, size));
            assert_non_null(strstr(messages, "no FlexBuffers map; expected one with"));
            assert_non_null(strstr(messages, operators[op].keys[0]));
        }
}

/* All problems are reported at once. */
static void all_problems(void **state)
{
    (void)state;
    static const FlexEntry entries[] = {{"stacker_left_context", FLEX_FLOAT, 0}, {"stacker_step", FLEX_INT, 1}};
    refused("SIGNALSTACKER", entries, 2, ": num_channels is missing");
    refused("SIGNALSTACKER", entries, 2, ": stacker_left_context is a real number");
    refused("SIGNALSTACKER", entries, 2, ": stacker_right_context is missing");
}

static int open_registry(void **state)
{
    const HeliaCustomizer customizer = audio_frontend_customize;
    void *user = NULL;
    (void)state;
    arena = helia_arena_new(NULL);
    diag = helia_diag_new(arena, to_messages, NULL, 1);
    registry = helia_build_default_registry_context(arena, diag, &customizer, &user, 1, false);
    return registry ? 0 : -1;
}

static int close_registry(void **state)
{
    (void)state;
    helia_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),       cmocka_unit_test(missing_keys), cmocka_unit_test(other_kinds),
        cmocka_unit_test(further_keys), cmocka_unit_test(no_map),       cmocka_unit_test(all_problems),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
