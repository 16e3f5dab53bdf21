/* Tables of buffers as CSV, in and out. */
#include "plan/planner_int.h"

#include <stdlib.h>
#include <string.h>

#include <helia_aot/emit.h>
#include "support/file.h"

enum { COLUMN_ID, COLUMN_FIRST, COLUMN_LAST, COLUMN_SIZE, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = {"id", "first", "last", "size"};

typedef struct NamedLine {
    const char *id;
    int32_t line;
} NamedLine;

typedef struct Reader {
    HeliaArena *arena;
    HeliaDiag *diag;
    HeliaLoc at;
    uint32_t field_of[N_COLUMNS]; /* by column: the field of a row that holds it */
    HELIA_VEC(NamedLine) lines;   /* by row of the table */
    PlanTable *table;
} Reader;

/* The parts between commas; false: there are not as many as columns. */
static bool split(HeliaArena *arena, const char *row, const char *fields[N_COLUMNS])
{
    for (uint32_t i = 0; i < N_COLUMNS; i++) {
        const size_t n = strcspn(row, ",");
        if ((row[n] == ',') != (i + 1 < N_COLUMNS))
            return false;
        fields[i] = helia_strndup(arena, row, n);
        row += n + 1;
    }
    return true;
}

static bool read_number(const char *text, uint64_t limit, uint64_t *number)
{
    const size_t n = strspn(text, "0123456789");
    if (!n || n > 19 || text[n])
        return false;
    *number = strtoull(text, NULL, 10);
    return *number <= limit;
}

static bool read_row(Reader *r, const char *row)
{
    const char *fields[N_COLUMNS];
    uint64_t first, last, size;
    if (!split(r->arena, row, fields))
        return false;
    const char *id = fields[r->field_of[COLUMN_ID]];
    if (!*id || !read_number(fields[r->field_of[COLUMN_FIRST]], UINT32_MAX, &first) ||
        !read_number(fields[r->field_of[COLUMN_LAST]], UINT32_MAX, &last) ||
        !read_number(fields[r->field_of[COLUMN_SIZE]], SIZE_MAX, &size) || first > last)
        return false;
    PlanBuf buf = {
        .id = r->table->bufs.len, .first = (uint32_t)first, .last = (uint32_t)last, .size = (size_t)size, .align = 1};
    HELIA_PUSH(r->arena, &r->table->names, id);
    HELIA_PUSH(r->arena, &r->table->bufs, buf);
    HELIA_PUSH(r->arena, &r->lines, ((NamedLine){id, r->at.line}));
    return true;
}

/* A row has numbers, a header has none. */
static bool is_header(const char *row)
{
    for (;;) {
        const size_t digits = strspn(row, "0123456789"), n = strcspn(row, ",");
        if (digits && digits == n)
            return false;
        if (!row[n])
            return true;
        row += n + 1;
    }
}

static bool read_header(Reader *r, const char *row)
{
    const char *fields[N_COLUMNS];
    uint32_t known = 0;
    const bool four = split(r->arena, row, fields);
    for (uint32_t c = 0; c < N_COLUMNS && four; c++)
        for (uint32_t i = 0; i < N_COLUMNS; i++)
            if (strcmp(fields[i], column_names[c]) == 0) {
                r->field_of[c] = i;
                known++;
                break;
            }
    return known == N_COLUMNS ||
           helia_error(r->diag, r->at,
                       "expected a header of the columns id, first, last and size in any order, or a "
                       "row of these in that order, found \"%s\"",
                       helia_printable(r->arena, row));
}

static bool read_line(Reader *r, const char *row, bool is_first)
{
    if (is_first && is_header(row))
        return read_header(r, row);
    const uint32_t *f = r->field_of;
    const char *names[N_COLUMNS];
    for (uint32_t c = 0; c < N_COLUMNS; c++)
        names[f[c]] = column_names[c];
    return read_row(r, row) ||
           helia_error(r->diag, r->at, "expected %s,%s,%s,%s as whole numbers with first <= last, found \"%s\"",
                       names[0], names[1], names[2], names[3], helia_printable(r->arena, row));
}

static int by_id_and_line(const void *x, const void *y)
{
    const NamedLine *a = x, *b = y;
    const int order = strcmp(a->id, b->id);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static bool check_ids(Reader *r)
{
    bool ok = true;
    if (r->lines.len)
        qsort(r->lines.at, r->lines.len, sizeof(r->lines.at[0]), by_id_and_line);
    for (uint32_t i = 1; i < r->lines.len; i++) {
        const NamedLine *before = &r->lines.at[i - 1], *now = &r->lines.at[i];
        r->at.line = now->line;
        if (strcmp(before->id, now->id) == 0)
            ok = helia_error(r->diag, r->at, "the id \"%s\" is that of line %d, too; expected one row an id",
                             helia_printable(r->arena, now->id), before->line);
    }
    return ok;
}

static bool check_sizes(Reader *r)
{
    size_t sum = 0;
    r->at.line = -1;
    for (uint32_t i = 0; i < r->table->bufs.len; i++)
        if (!checked_add(sum, r->table->bufs.at[i].size, &sum))
            return helia_error(r->diag, r->at, "the sizes add up to more than %zu bytes", SIZE_MAX);
    return true;
}

bool plan_table_read(HeliaArena *arena, HeliaDiag *diag, const char *path, PlanTable *table)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, as spreadsheets write it */
    FileBytes file;
    if (!file_read(arena, diag, path, &file))
        return false;
    const char *text = (const char *)file.at, *end = text + file.size;
    if (file.size >= 3 && memcmp(text, mark, 3) == 0)
        text += 3;
    Reader r = {arena, diag, HELIA_NOWHERE, {COLUMN_ID, COLUMN_FIRST, COLUMN_LAST, COLUMN_SIZE}, {0}, table};
    r.at.file = path;
    bool ok = true, is_first = true;
    for (r.at.line = 1; text < end; r.at.line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t n = (size_t)((newline ? newline : end) - text);
        const char *row = helia_strndup(arena, text, n > 0 && text[n - 1] == '\r' ? n - 1 : n);
        if (memchr(text, 0, n))
            ok = helia_error(diag, r.at, "expected text in UTF-8, found a zero byte");
        else if (*row)
            ok = read_line(&r, row, is_first) && ok;
        is_first = is_first && !*row;
        text += n + 1;
    }
    ok = check_ids(&r) && ok;
    r.at.line = -1;
    if (ok && !table->bufs.len)
        return helia_error(diag, r.at, "the table is empty; expected rows id,first,last,size");
    return check_sizes(&r) && ok;
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
