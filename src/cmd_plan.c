/* plan: runs a planner on a table of buffers, rows id,first,last,size. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "support/file.h"

typedef struct Table {
    HELIA_VEC(PlanBuf) bufs; /* id: the row's index in names */
    HELIA_VEC(const char *) names;
} Table;

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

static bool read_row(HeliaArena *arena, Table *t, const char *row)
{
    uint64_t first, last, size;
    size_t n = strcspn(row, ",");
    const char *p = row + n + (row[n] == ',');
    if (!n || !take_number(&p, ',', UINT32_MAX, &first) || !take_number(&p, ',', UINT32_MAX, &last) ||
        !take_number(&p, 0, SIZE_MAX / 2, &size) || first > last)
        return false;
    PlanBuf buf = {.id = t->names.len, .first = (uint32_t)first, .last = (uint32_t)last, .size = (size_t)size, .align = 1};
    HELIA_PUSH(arena, &t->names, helia_strndup(arena, row, n));
    HELIA_PUSH(arena, &t->bufs, buf);
    return true;
}

/* A header in the first line and empty lines are skipped. */
static bool read_table(Invocation *v, const char *path, Table *t)
{
    FileBytes file;
    if (!file_read(v->arena, v->diag, path, &file))
        return false;
    const char *text = (const char *)file.at, *end = text + file.size;
    HeliaLoc at = HELIA_NOWHERE;
    at.file = path;
    for (at.line = 1; text < end; at.line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((newline ? newline : end) - text);
        char *row = helia_strndup(v->arena, text, n > 0 && text[n - 1] == '\r' ? n - 1 : n);
        bool header = at.line == 1 && strncmp(row, "id,", 3) == 0;
        if (*row && !header && !read_row(v->arena, t, row))
            helia_error(v->diag, at, "expected id,first,last,size with first <= last, found \"%s\"",
                        helia_printable(v->arena, row));
        text += n + 1;
    }
    return helia_diag_errors(v->diag) == 0;
}

static const Planner *find_planner(Invocation *v)
{
    const char *name = cmd_option(v, "planner");
    const Planner *planner = planner_find(name ? name : "greedy");
    if (planner)
        return planner;
    const char *known = planner_at(0)->name;
    for (uint32_t i = 1; planner_at(i); i++)
        known = helia_format(v->arena, "%s, %s", known, planner_at(i)->name);
    helia_error(v->diag, HELIA_NOWHERE, "unknown planner \"%s\"; known are %s", helia_printable(v->arena, name), known);
    return NULL;
}

void cmd_plan(Invocation *v)
{
    Table t = {0};
    const Planner *planner = find_planner(v);
    if (!read_table(v, v->arguments[0], &t) || !planner)
        return;
    PlanResult result = {0};
    if (!planner->plan(v->arena, t.bufs.at, t.bufs.len, &result) || !plan_check(v->diag, t.bufs.at, t.bufs.len, &result)) {
        if (!helia_diag_errors(v->diag))
            helia_error(v->diag, HELIA_NOWHERE, "planner %s found no plan", planner->name);
        return;
    }
    size_t *offsets = HELIA_NEW_N(v->arena, size_t, t.bufs.len); /* by row: a planner may sort its buffers */
    for (uint32_t i = 0; i < t.bufs.len; i++)
        offsets[t.bufs.at[i].id] = t.bufs.at[i].offset;
    printf("peak %zu bound %zu proven %s\n", result.peak, result.lower_bound, result.proven ? "yes" : "no");
    for (uint32_t i = 0; i < t.names.len; i++)
        printf("%s,%zu\n", t.names.at[i], offsets[i]);
}
