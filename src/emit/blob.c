/* Images of constant regions: as arrays of the module, or as sidecar files with a header that the module checks. */
#include "emit/emit_int.h"

#include <string.h>

#include "support/file.h"

/* ---- images ----------------------------------------------------------------------------------- */
uint8_t *region_image(HeliaEmitter *e, uint32_t region, ConstantRoots *roots)
{
    const AirGraph *g = e->graph;
    uint8_t *image = helia_alloc(e->arena, e->plan->regions.at[region].size, 1);
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const AirTensor *t = g->tensors.at[i];
        const MemorySlot *slot = &e->plan->tensors[i];
        if (slot->region != (int32_t)region || slot->root != i || !t->data)
            continue;
        memcpy(image + slot->offset, t->data, air_bytes(t));
        uint32_t k = roots->len;
        HELIA_PUSH(e->arena, roots, t);
        for (; k > 0 && e->plan->tensors[roots->at[k - 1]->id].offset > slot->offset; k--)
            roots->at[k] = roots->at[k - 1];
        roots->at[k] = t;
    }
    return image;
}

/* ---- sidecar files ---------------------------------------------------------------------------- */
enum { LAYOUT_VERSION = 1 };

size_t blob_payload(const HeliaEmitter *e, uint32_t region)
{
    const size_t align = e->plan->regions.at[region].align;
    return align > BLOB_HEADER ? align : BLOB_HEADER;
}

size_t blob_size(const HeliaEmitter *e, uint32_t region)
{
    return blob_payload(e, region) + e->plan->regions.at[region].size;
}

const char *blob_path(HeliaEmitter *e, uint32_t region)
{
    const char *symbol = region_symbol(e, region) + strlen(e->prefix) + strlen("_arena_");
    return helia_format(e->arena, "blobs/%s_%s.bin", e->prefix, symbol);
}

static void put_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t hex_digit(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Magic, layout version, offset of the payload, SHA-256 of the model, plan hash, region, size and CRC-32 of the payload;
 * numbers are little-endian. */
void blob_header(HeliaEmitter *e, uint32_t region, uint8_t header[BLOB_HEADER])
{
    ConstantRoots roots = {0};
    const size_t size = e->plan->regions.at[region].size;
    const char *sha256 = e->graph->model->sha256;
    memcpy(header, "HELIABLB", 8);
    header[8] = LAYOUT_VERSION;
    header[9] = (uint8_t)region;
    header[10] = header[11] = 0;
    put_u32(header + 12, (uint32_t)blob_payload(e, region));
    for (int i = 0; i < 32; i++)
        header[16 + i] = (uint8_t)(hex_digit(sha256[2 * i]) << 4 | hex_digit(sha256[2 * i + 1]));
    put_u32(header + 48, e->plan->hash);
    put_u32(header + 52, (uint32_t)size);
    put_u32(header + 56, crc32_bytes(region_image(e, region, &roots), size));
    put_u32(header + 60, 0);
}

void emit_sidecar(HeliaEmitter *e, uint32_t region)
{
    ConstantRoots roots = {0};
    const size_t payload = blob_payload(e, region);
    uint8_t *head = helia_alloc(e->arena, payload, 1);
    blob_header(e, region, head);
    HeliaOut *o = helia_emit_file(e, blob_path(e, region));
    helia_out_text(o, (const char *)head, payload);
    helia_out_text(o, (const char *)region_image(e, region, &roots), e->plan->regions.at[region].size);
}

/* ---- the module's side ------------------------------------------------------------------------ */
/* An expression: where the payload of a staged region's blob is. */
static const char *payload_text(HeliaEmitter *e, uint32_t region)
{
    if (!e->plan->regions.at[region].sidecar)
        return blob_symbol(e, region);
    return helia_format(e->arena, "(const uint8_t *)blobs[%s] + %zuu", region_name(e, region), blob_payload(e, region));
}

const char *model_blob_block(HeliaEmitter *e)
{
    HeliaOut *headers = helia_out_new(e->arena), *cases = helia_out_new(e->arena);
    bool any = false;
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const MemoryRegion *region = &e->plan->regions.at[r];
        if (!region->sidecar)
            continue;
        uint8_t header[BLOB_HEADER];
        blob_header(e, r, header);
        const char *name = region_name(e, r);
        helia_out_line(headers, "static const uint8_t header%u[%d] = {", r, BLOB_HEADER);
        emit_bytes(headers, header, BLOB_HEADER);
        helia_out_line(headers, "};");
        helia_out_line(cases, "    case %s:", name);
        helia_out_line(cases, "        header = header%u;", r);
        helia_out_line(cases, "        needed = %s_BLOB_SIZE;", name);
        helia_out_line(cases, "        payload = %zuu;", blob_payload(e, r));
        helia_out_line(cases, "        align = %s;", region->staged ? "1u" : helia_format(e->arena, "%s_ALIGN", name));
        helia_out_line(cases, "        break;");
        any = true;
    }
    const TemplateKey keys[] = {{"p", e->prefix},
                                {"P", e->PREFIX},
                                {"HEADER_SIZE", helia_format(e->arena, "%d", BLOB_HEADER)},
                                {"HEADERS", helia_out_string(headers, NULL)},
                                {"CASES", helia_out_string(cases, NULL)}};
    const char *text = template_expand(e->arena, e->diag, any ? "blob.c.in" : "blobless.c.in", keys, any ? 5 : 2);
    return text ? text : "";
}

const char *model_hydrate_block(HeliaEmitter *e)
{
    HeliaOut *copies = helia_out_new(e->arena), *cases = helia_out_new(e->arena);
    bool any = false;
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        if (!e->plan->regions.at[r].staged)
            continue;
        const char *name = region_name(e, r);
        helia_out_line(cases, "    case %s:", name);
        if (e->plan->regions.at[r].sidecar)
            helia_out_line(cases, "        return blobs[region] == NULL ? NULL : %s;", payload_text(e, r));
        else
            helia_out_line(cases, "        return %s;", payload_text(e, r));
        helia_out_line(copies, "    if (ctx->arena_buffers[%s] == NULL)", name);
        helia_out_line(copies, "        return %s_STATUS_NOT_INITIALIZED;", e->PREFIX);
        helia_out_line(copies, "    memcpy(ctx->arena_buffers[%s], %s_constant_blob(%s), %s_SIZE);", name, e->prefix,
                       name, name);
        any = true;
    }
    const TemplateKey keys[] = {{"p", e->prefix},
                                {"P", e->PREFIX},
                                {"CASES", helia_out_string(cases, NULL)},
                                {"COPIES", helia_out_string(copies, NULL)}};
    const char *text = template_expand(e->arena, e->diag, any ? "hydrate.c.in" : "hydrateless.c.in", keys, any ? 4 : 2);
    return text ? text : "";
}

bool has_staged(const HeliaEmitter *e)
{
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        if (e->plan->regions.at[r].staged)
            return true;
    return false;
}
