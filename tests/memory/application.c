/* Runs one module whatever its arenas and constants are, and prints the CRC of its outputs. Arguments: its blob files.
 * What the application binds has guard bytes around it. With STATUSES every status code is provoked on the way. */
#include "aot_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, GUARD_BYTE = 0xa5, RUNS = 3, MAX_ALIGN = 4096 };

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            fprintf(stderr, "application.c:%d: %s\n", __LINE__, #x);                                                   \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static aot_model_context_t ctx;
static uint8_t *arenas[AOT_NUM_REGIONS + 1];
static size_t sizes[AOT_NUM_REGIONS + 1];

static uint8_t *aligned(size_t n)
{
    static uint8_t pool[1 << 25];
    static size_t used;
    used += MAX_ALIGN - (uintptr_t)(pool + used) % MAX_ALIGN;
    CHECK(n <= sizeof(pool) - used);
    uint8_t *p = pool + used;
    used += n;
    return p;
}

/* ---- arenas ----------------------------------------------------------------------------------- */
/* The least size that the module takes. */
static size_t size_of_region(uint32_t region, uint8_t *buffer)
{
    size_t low = 0, high = (size_t)1 << 28; /* low: too small, or 0 */
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
    return high;
}

static void bind_arenas(void)
{
    for (uint32_t r = 0; r < AOT_NUM_REGIONS; r++) {
        uint8_t *probe = aligned(2);
        if (aot_bind_arena(r, probe, (size_t)1 << 28) == AOT_STATUS_BAD_REGION)
            continue;
        CHECK(aot_bind_arena(r, NULL, (size_t)1 << 28) == AOT_STATUS_ARENA_NOT_BOUND);
        CHECK(aot_bind_arena(r, probe + 1, (size_t)1 << 28) == AOT_STATUS_ARENA_MISALIGNED);
        sizes[r] = size_of_region(r, probe);
        arenas[r] = aligned(sizes[r] + 2 * MAX_ALIGN) + MAX_ALIGN;
        memset(arenas[r] - GUARD, GUARD_BYTE, sizes[r] + 2 * GUARD);
        const aot_arena_binding_t good = {r, arenas[r], sizes[r]}, bad = {AOT_NUM_REGIONS, arenas[r], sizes[r]};
        const aot_arena_binding_t pair[2] = {good, bad};
        CHECK(aot_bind_arenas(pair, 2) == AOT_STATUS_BAD_REGION);
        CHECK(aot_bind_arenas(&good, 1) == AOT_STATUS_OK);
    }
    CHECK(aot_bind_arena(AOT_NUM_REGIONS, arenas, sizeof(arenas)) == AOT_STATUS_BAD_REGION);
}

static void check_guards(void)
{
    for (uint32_t r = 0; r < AOT_NUM_REGIONS; r++)
        for (size_t i = 0; arenas[r] && i < GUARD; i++)
            CHECK(arenas[r][-1 - (ptrdiff_t)i] == GUARD_BYTE && arenas[r][sizes[r] + i] == GUARD_BYTE);
}

/* ---- blobs ------------------------------------------------------------------------------------ */
static void bind_blob(const char *path)
{
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL && fseek(f, 0, SEEK_END) == 0);
    const size_t size = (size_t)ftell(f);
    uint8_t *blob = aligned(size);
    rewind(f);
    CHECK(fread(blob, 1, size, f) == size);
    fclose(f);
    CHECK(memcmp(blob, "HELIABLB", 8) == 0);
    const uint32_t region = blob[9];
    CHECK(region < AOT_NUM_REGIONS);
    CHECK(aot_model_init(&ctx) == AOT_STATUS_ARENA_NOT_BOUND);
    CHECK(aot_bind_blob(region, NULL, size) == AOT_STATUS_ARENA_NOT_BOUND);
    CHECK(aot_bind_blob(AOT_NUM_REGIONS, blob, size) == AOT_STATUS_BAD_REGION);
    CHECK(aot_bind_blob(region, blob, size - 1) == AOT_STATUS_BLOB_MISMATCH);
    CHECK(aot_bind_blob(region, blob, 0) == AOT_STATUS_BLOB_MISMATCH);
    /* Magic, layout version, region, model, plan, size, CRC, and the first and last byte of the constants. */
    const size_t places[] = {0, 8, 9, 12, 16, 47, 48, 52, 56, 64, size - 1};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        blob[places[i]] ^= 1;
        CHECK(aot_bind_blob(region, blob, size) == AOT_STATUS_BLOB_MISMATCH);
        blob[places[i]] ^= 1;
    }
    CHECK(aot_model_init(&ctx) == AOT_STATUS_ARENA_NOT_BOUND);
    CHECK(aot_bind_blob(region, blob, size) == AOT_STATUS_OK);
    blob[0] ^= 1; /* the flash has been written anew since */
    CHECK(aot_model_init(&ctx) == AOT_STATUS_BLOB_MISMATCH || aot_model_init(&ctx) == AOT_STATUS_ARENA_NOT_BOUND);
    blob[0] ^= 1;
}

/* ---- runs ------------------------------------------------------------------------------------- */
static uint32_t crc = 0xffffffffu, seed = 12345;

static void add_to_crc(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
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
    for (uint32_t i = 0; i < AOT_NUM_INPUTS; i++) {
        const aot_tensor_view_t *v = &ctx.inputs[i];
        uint8_t *bytes = (uint8_t *)v->data;
        for (uint32_t k = 0; v->dtype != AOT_DTYPE_FLOAT32 && k < v->nbytes; k++)
            bytes[k] = (uint8_t)next_random();
        for (uint32_t k = 0; v->dtype == AOT_DTYPE_FLOAT32 && k < v->nbytes / 4; k++) {
            const float value = (float)(next_random() & 0xffff) / 32768.0f - 1.0f;
            memcpy(bytes + 4 * (size_t)k, &value, 4);
        }
    }
}

static void run(void)
{
    for (int i = 0; i < RUNS; i++) {
        uint32_t done = 0;
        write_inputs();
        if (i < RUNS - 1) {
            CHECK(aot_model_run(&ctx) == AOT_STATUS_OK);
        } else {
            while (!done)
                CHECK(aot_model_run_steps(&ctx, 1, &done) == AOT_STATUS_OK);
        }
        for (uint32_t k = 0; k < AOT_NUM_OUTPUTS; k++)
            add_to_crc((const uint8_t *)ctx.outputs[k].data, ctx.outputs[k].nbytes);
        check_guards();
    }
}

static void provoke_calls(void)
{
    uint8_t byte = 0;
    uint32_t done;
    CHECK(aot_model_init(NULL) == AOT_STATUS_NULL_CONTEXT && aot_model_run(NULL) == AOT_STATUS_NULL_CONTEXT);
    CHECK(aot_model_run(&ctx) == AOT_STATUS_NOT_INITIALIZED);
    CHECK(aot_model_run_steps(&ctx, 1, &done) == AOT_STATUS_NOT_INITIALIZED);
    CHECK(aot_state_reset(&ctx) == AOT_STATUS_NOT_INITIALIZED);
    CHECK(aot_hydrate_constants(NULL) == AOT_STATUS_NULL_CONTEXT);
    CHECK(aot_bind_arena(AOT_NUM_REGIONS, &byte, 1) == AOT_STATUS_BAD_REGION);
    CHECK(aot_bind_blob(AOT_NUM_REGIONS, &byte, 1) == AOT_STATUS_BAD_REGION);
}

int main(int argc, char **argv)
{
    provoke_calls();
    bind_arenas();
    for (int i = 1; i < argc; i++)
        bind_blob(argv[i]);
    CHECK(aot_model_init(&ctx) == AOT_STATUS_OK);
    CHECK(aot_state_restore(&ctx, &ctx, AOT_STATE_SIZE + 1u) == AOT_STATUS_STATE_MISMATCH);
    run();
    CHECK(aot_model_init(&ctx) == AOT_STATUS_OK); /* bindings stay */
    run();
    printf("%08lx\n", (unsigned long)~crc);
    return 0;
}
