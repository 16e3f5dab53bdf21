/* Runs one module whatever its arenas and constants are, on the host or under QEMU, and says the CRC of its outputs and
 * which status codes it has met: every code that the module can give is provoked on the way. What the application binds
 * has guard bytes around it. Given at compile time:
 *   BLOBS             paths of the module's blob files, each followed by a comma; may be empty
 *   SCHEDULE_TABLE    1: callbacks are called
 *   OPERATOR_STATUS   the last operator gives this status; 0: it works
 *   POOL              bytes for what is bound */
#include "aot_model.h"

#include <string.h>

#include "driver.h"

enum { GUARD = 64, GUARD_BYTE = 0xa5, RUNS = 3, MAX_ALIGN = 256, ENOUGH = 1 << 28, LINE = 64 };
static const char *const blob_paths[] = {BLOBS NULL};

static aot_model_context_t ctx;
static uint8_t *arenas[AOT_NUM_REGIONS + 1], *blobs[AOT_NUM_REGIONS + 1];
static size_t sizes[AOT_NUM_REGIONS + 1];
static uint32_t met; /* bit n: code -n */
static int failures;

/* ---- saying ----------------------------------------------------------------------------------- */
static void say_number(const char *what, uint32_t value, uint32_t base)
{
    char digits[LINE];
    size_t at = sizeof(digits) - 1;
    digits[at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0u);
    port_puts(what);
    port_puts(digits + at);
}

static void check(int good, const char *what, uint32_t line)
{
    if (good)
        return;
    failures++;
    say_number("application.c:", line, 10);
    port_puts(": ");
    port_puts(what);
    port_puts("\n");
}
#define CHECK(x) check((x) ? 1 : 0, #x, __LINE__)

/* Expects the status, and notes it. */
static void expect_status(int32_t got, int32_t expected, const char *what, uint32_t line)
{
    check(got == expected, what, line);
    if (got < 0 && got > -32)
        met |= 1u << -got;
}
#define STATUS(call, name) expect_status(call, AOT_STATUS_##name, #call ": " #name, __LINE__)

static uint8_t *aligned(size_t n)
{
    static uint8_t pool[POOL];
    static size_t used;
    uint8_t *p;
    used += MAX_ALIGN - (uintptr_t)(pool + used) % MAX_ALIGN;
    if (n > sizeof(pool) - used) {
        CHECK(!"POOL is too small");
        used = 0;
    }
    p = pool + used;
    used += n;
    return p;
}

/* ---- arenas ----------------------------------------------------------------------------------- */
/* The least size that the module takes. */
static size_t size_of_region(uint32_t region, uint8_t *buffer)
{
    size_t low = 0, high = ENOUGH; /* low: too small, or 0 */
    if (aot_bind_arena(region, buffer, 0) == AOT_STATUS_OK)
        return 0;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const int32_t status = aot_bind_arena(region, buffer, middle);
        CHECK(status == AOT_STATUS_OK || status == AOT_STATUS_ARENA_TOO_SMALL);
        if (status == AOT_STATUS_OK)
            high = middle;
        else
            low = middle;
    }
    STATUS(aot_bind_arena(region, buffer, high - 1), ARENA_TOO_SMALL);
    return high;
}

static void bind_arenas(void)
{
    uint32_t r;
    for (r = 0; r < AOT_NUM_REGIONS; r++) {
        uint8_t *probe = aligned(2);
        if (aot_bind_arena(r, NULL, ENOUGH) == AOT_STATUS_BAD_REGION) {
            STATUS(aot_bind_arena(r, probe, ENOUGH), BAD_REGION);
            continue;
        }
        STATUS(aot_bind_arena(r, NULL, ENOUGH), ARENA_NOT_BOUND);
        STATUS(aot_bind_arena(r, probe + 1, ENOUGH), ARENA_MISALIGNED);
        STATUS(aot_model_init(&ctx), ARENA_NOT_BOUND);
        sizes[r] = size_of_region(r, probe);
        arenas[r] = aligned(sizes[r] + 2 * MAX_ALIGN) + MAX_ALIGN;
        memset(arenas[r] - GUARD, GUARD_BYTE, sizes[r] + 2 * GUARD);
        {
            const aot_arena_binding_t good = {r, arenas[r], sizes[r]}, bad = {AOT_NUM_REGIONS, arenas[r], sizes[r]};
            const aot_arena_binding_t small = {r, arenas[r], sizes[r] - 1u}, odd = {r, arenas[r] + 1, ENOUGH};
            const aot_arena_binding_t pairs[][2] = {{good, bad}, {good, small}, {good, odd}};
            STATUS(aot_bind_arenas(pairs[0], 2), BAD_REGION);
            STATUS(aot_bind_arenas(pairs[1], 2), ARENA_TOO_SMALL);
            STATUS(aot_bind_arenas(pairs[2], 2), ARENA_MISALIGNED);
            STATUS(aot_bind_arenas(NULL, 1), ARENA_NOT_BOUND);
            STATUS(aot_bind_arenas(NULL, 0), OK);
            STATUS(aot_bind_arenas(&good, 1), OK);
        }
    }
    STATUS(aot_bind_arena(AOT_NUM_REGIONS, arenas, sizeof(arenas)), BAD_REGION);
}

static void check_guards(void)
{
    uint32_t r;
    size_t i;
    for (r = 0; r < AOT_NUM_REGIONS; r++)
        for (i = 0; arenas[r] && i < GUARD; i++)
            CHECK(arenas[r][-1 - (ptrdiff_t)i] == GUARD_BYTE && arenas[r][sizes[r] + i] == GUARD_BYTE);
}

/* ---- blobs ------------------------------------------------------------------------------------ */
/* Magic, layout version, region, model, plan, size, CRC, and the first and last byte of the constants. */
static void damage(uint32_t region, uint8_t *blob, size_t size)
{
    const size_t places[] = {0, 8, 9, 12, 16, 47, 48, 52, 56, 64, size - 1};
    size_t i;
    for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        blob[places[i]] ^= 1;
        STATUS(aot_bind_blob(region, blob, size), BLOB_MISMATCH);
        blob[places[i]] ^= 1;
    }
}

static void bind_blob(const char *path)
{
    enum { ROOM = 1 << 18 };
    const int file = port_open(path, "rb");
    uint8_t *blob = aligned(ROOM);
    const size_t size = file < 0 ? 0 : port_read(file, blob, ROOM);
    const uint32_t region = blob[9];
    CHECK(size > 64 && size < ROOM && memcmp(blob, "HELIABLB", 8) == 0 && region < AOT_NUM_REGIONS);
    if (failures)
        return;
    port_close(file);
    STATUS(aot_model_init(&ctx), ARENA_NOT_BOUND);
    STATUS(aot_bind_blob(region, NULL, size), ARENA_NOT_BOUND);
    STATUS(aot_bind_blob(AOT_NUM_REGIONS, blob, size), BAD_REGION);
    STATUS(aot_bind_blob(region, blob, size - 1), BLOB_MISMATCH);
    STATUS(aot_bind_blob(region, blob, size + 1), BLOB_MISMATCH);
    STATUS(aot_bind_blob(region, blob, 0), BLOB_MISMATCH);
    damage(region, blob, size);
    STATUS(aot_model_init(&ctx), ARENA_NOT_BOUND);
    STATUS(aot_bind_blob(region, blob, size), OK);
    blobs[region] = blob;
}

/* The flash has been written anew since it was bound. */
static void damage_bound(void)
{
    uint32_t r;
    for (r = 0; r < AOT_NUM_REGIONS; r++) {
        if (!blobs[r])
            continue;
        blobs[r][0] ^= 1;
        STATUS(aot_model_init(&ctx), BLOB_MISMATCH);
        STATUS(aot_model_run(&ctx), NOT_INITIALIZED);
        blobs[r][0] ^= 1;
    }
}

/* ---- runs ------------------------------------------------------------------------------------- */
static uint32_t crc = 0xffffffffu, seed = 12345;

static void add_to_crc(const uint8_t *bytes, size_t n)
{
    size_t i;
    int k;
    for (i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
    }
}

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void write_inputs(void)
{
    uint32_t i, k;
    for (i = 0; i < AOT_NUM_INPUTS; i++) {
        const aot_tensor_view_t *v = &ctx.inputs[i];
        uint8_t *bytes = (uint8_t *)v->data;
        for (k = 0; v->dtype != AOT_DTYPE_FLOAT32 && k < v->nbytes; k++)
            bytes[k] = (uint8_t)next_random();
        for (k = 0; v->dtype == AOT_DTYPE_FLOAT32 && k < v->nbytes / 4; k++) {
            const float value = (float)(next_random() & 0xffff) / 32768.0f - 1.0f;
            memcpy(bytes + 4 * (size_t)k, &value, 4);
        }
    }
}

static void add_outputs(void)
{
    uint32_t k;
    for (k = 0; k < AOT_NUM_OUTPUTS; k++)
        add_to_crc((const uint8_t *)ctx.outputs[k].data, ctx.outputs[k].nbytes);
}

static void run(void)
{
    int i;
    for (i = 0; i < RUNS; i++) {
        uint32_t done = 0, steps = 0;
        write_inputs();
        if (i < RUNS - 1)
            STATUS(aot_model_run(&ctx), OK);
        for (; i == RUNS - 1 && !done && steps <= AOT_NUM_OPERATORS; steps++)
            STATUS(aot_model_run_steps(&ctx, 1, &done), OK);
        CHECK(i < RUNS - 1 || done == 1);
        add_outputs();
        check_guards();
    }
}

/* ---- codes that are handed through ------------------------------------------------------------ */
typedef struct Stop {
    uint32_t op, phase, calls;
    int32_t status;
} Stop;

static int32_t stop_at(aot_model_context_t *c, uint32_t op, uint32_t phase, void *user)
{
    Stop *stop = (Stop *)user;
    CHECK(c == &ctx && op == stop->calls / 2 && phase == stop->calls % 2);
    stop->calls++;
    return op == stop->op && phase == stop->phase ? stop->status : AOT_STATUS_OK;
}

static void callbacks(void)
{
    const uint32_t last = AOT_NUM_OPERATORS - 1u;
    const Stop stops[] = {{0, 0, 0, 7}, {0, 1, 0, 1}, {last, 0, 0, 123456}, {last, 1, 0, -77}};
    size_t i;
    for (i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
        Stop stop = stops[i];
        ctx.callback = stop_at;
        ctx.callback_user = &stop;
        write_inputs();
        CHECK(aot_model_run(&ctx) == (SCHEDULE_TABLE ? stop.status : AOT_STATUS_OK));
        CHECK(stop.calls == (SCHEDULE_TABLE ? 2 * stop.op + stop.phase + 1 : 0));
        CHECK(ctx.next_op == 0);
    }
    ctx.callback = NULL;
    ctx.callback_user = NULL;
}

static void failing_operator(void)
{
    uint32_t done = 1, steps;
    write_inputs();
    CHECK(aot_model_run(&ctx) == OPERATOR_STATUS);
    for (steps = 1; steps < AOT_NUM_OPERATORS; steps++)
        STATUS(aot_model_run_steps(&ctx, 1, &done), OK);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == OPERATOR_STATUS && done == 0 && ctx.next_op == 0);
    CHECK(aot_model_run_steps(&ctx, UINT32_MAX, NULL) == OPERATOR_STATUS);
}

/* ---- misuse ----------------------------------------------------------------------------------- */
static void before_init(void)
{
    uint8_t byte = 0;
    uint32_t done = 1;
    STATUS(aot_model_init(NULL), NULL_CONTEXT);
    STATUS(aot_model_run(NULL), NULL_CONTEXT);
    STATUS(aot_model_run_steps(NULL, 1, &done), NULL_CONTEXT);
    STATUS(aot_state_reset(NULL), NULL_CONTEXT);
    STATUS(aot_state_reset_variable(NULL, 0), NULL_CONTEXT);
    STATUS(aot_state_save(NULL, &byte, 1), NULL_CONTEXT);
    STATUS(aot_state_restore(NULL, &byte, 1), NULL_CONTEXT);
    STATUS(aot_hydrate_constants(NULL), NULL_CONTEXT);
    STATUS(aot_model_run(&ctx), NOT_INITIALIZED);
    STATUS(aot_model_run_steps(&ctx, 1, NULL), NOT_INITIALIZED);
    STATUS(aot_model_run_steps(&ctx, 1, &done), NOT_INITIALIZED);
    CHECK(done == 0);
    STATUS(aot_state_reset(&ctx), NOT_INITIALIZED);
    STATUS(aot_state_reset_variable(&ctx, 0), NOT_INITIALIZED);
    STATUS(aot_state_save(&ctx, &byte, 1), NOT_INITIALIZED);
    STATUS(aot_state_restore(&ctx, &byte, 1), NOT_INITIALIZED);
    STATUS(aot_bind_arena(AOT_NUM_REGIONS, &byte, 1), BAD_REGION);
    STATUS(aot_bind_blob(AOT_NUM_REGIONS, &byte, 1), BAD_REGION);
}

/* A saved state gives the same run again; one that is not this module's changes nothing. */
static void state(void)
{
    static uint8_t saved[AOT_STATE_SIZE + 1u];
    const uint32_t seed_then = seed, crc_then = crc;
    uint32_t first;
    STATUS(aot_state_reset_variable(&ctx, UINT32_MAX), BAD_REGION);
    STATUS(aot_state_restore(&ctx, saved, AOT_STATE_SIZE + 1u), STATE_MISMATCH);
    STATUS(aot_state_save(&ctx, saved, AOT_STATE_SIZE), OK);
    run();
    first = crc;
    seed = seed_then;
    crc = crc_then;
    if (AOT_STATE_SIZE > 0u) {
        STATUS(aot_state_save(&ctx, saved, AOT_STATE_SIZE - 1u), STATE_MISMATCH);
        STATUS(aot_state_save(&ctx, NULL, AOT_STATE_SIZE), STATE_MISMATCH);
        STATUS(aot_state_restore(&ctx, NULL, AOT_STATE_SIZE), STATE_MISMATCH);
        STATUS(aot_state_restore(&ctx, saved, AOT_STATE_SIZE - 1u), STATE_MISMATCH);
        saved[0] ^= 1;
        STATUS(aot_state_restore(&ctx, saved, AOT_STATE_SIZE), STATE_MISMATCH);
        saved[0] ^= 1;
    }
    STATUS(aot_state_restore(&ctx, saved, AOT_STATE_SIZE), OK);
    run();
    CHECK(crc == first);
}

int driver_main(uint32_t first)
{
    size_t i;
    (void)first;
    before_init();
    bind_arenas();
    for (i = 0; blob_paths[i]; i++)
        bind_blob(blob_paths[i]);
    if (failures)
        return 1;
    damage_bound();
    STATUS(aot_model_init(&ctx), OK);
    if (OPERATOR_STATUS) {
        failing_operator();
    } else {
        run();
        STATUS(aot_model_init(&ctx), OK); /* bindings stay */
        run();
        state();
        callbacks();
        STATUS(aot_state_reset(&ctx), OK);
        run();
    }
    say_number("crc ", ~crc, 16);
    say_number(" met ", met, 16);
    port_puts("\n");
    return failures ? 1 : 0;
}
