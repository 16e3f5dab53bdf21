/* Tables of buffers as CSV, in and out. */
#include "plan/planner_int.h"

#include <stdlib.h>
#include <string.h>

#include <helia_aot/emit.h>
#include "support/file.h"

/* Digits up to the separator. */
static bool take_number(const char **p, char separator, uint64_t limit, uint64_t *number)
{
    size_t n = strspn(*p, "0123456789");
    if (!n || n > 19 || (*p)[n] != separator)
        return false;
    *number = strtoull(*p, NULL, 10);
    *p += n + (separator != 0);
    return *number <= limit;
}

static bool read_row(HeliaArena *arena, PlanTable *table, const char *row)
{
    uint64_t first, last, size;
    size_t n = strcspn(row, ",");
    const char *p = row + n + (row[n] == ',');
    if (!n || !take_number(&p, ',', UINT32_MAX, &first) || !take_number(&p, ',', UINT32_MAX, &last) ||
        !take_number(&p, 0, SIZE_MAX, &size) || first > last)
        return false;
    PlanBuf buf = {
        .id = table->bufs.len, .first = (uint32_t)first, .last = (uint32_t)last, .size = (size_t)size, .align = 1};
    HELIA_PUSH(arena, &table->names, helia_strndup(arena, row, n));
    HELIA_PUSH(arena, &table->bufs, buf);
    return true;
}

bool plan_table_read(HeliaArena *arena, HeliaDiag *diag, const char *path, PlanTable *table)
{
    FileBytes file;
    if (!file_read(arena, diag, path, &file))
        return false;
    const char *text = (const char *)file.at, *end = text + file.size;
    HeliaLoc at = HELIA_NOWHERE;
    at.file = path;
    bool ok = true;
    for (at.line = 1; text < end; at.line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((newline ? newline : end) - text);
        const char *row = helia_strndup(arena, text, n > 0 && text[n - 1] == '\r' ? n - 1 : n);
        bool header = at.line == 1 && strncmp(row, "id,", 3) == 0;
        if (*row && !header && !read_row(arena, table, row))
            ok = helia_error(diag, at, "expected id,first,last,size as whole numbers with first <= last, found \"%s\"",
                             helia_printable(arena, row));
        text += n + 1;
    }
    size_t sum = 0;
    for (uint32_t i = 0; i < table->bufs.len; i++)
        if (!checked_add(sum, table->bufs.at[i].size, &sum)) {
            at.line = -1;
            return helia_error(diag, at, "the sizes add up to more than %zu bytes", SIZE_MAX);
        }
    return ok;
}

const char *plan_table_text(HeliaArena *arena, HeliaDiag *diag, PlanTable *table, const Planner *planner,
                            const PlanOptions *options)
{
    PlanResult result = {0};
    planner->plan(arena, table->bufs.at, table->bufs.len, options, &result);
    if (!plan_check(arena, diag, table->bufs.at, table->bufs.len, &result))
        return NULL;
    HeliaOut *o = helia_out_new(arena);
    helia_out_line(o, "peak %zu bound %zu proven %s", result.peak, result.lower_bound, result.proven ? "yes" : "no");
    for (uint32_t i = 0; i < table->bufs.len; i++)
        helia_out_line(o, "%s,%zu", table->names.at[i], table->bufs.at[i].offset);
    return helia_out_string(o, NULL);
}
