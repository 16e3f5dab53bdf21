/* Tables as comma-separated values, cells quoted where they hold a comma. */
#include "runner.h"
#include "support/file.h"

#include <string.h>

/* Takes the cell at *at; returns whether another follows in the same row. */
static bool take_cell(HeliaArena *arena, const char **at, const char **cell)
{
    const char *p = *at;
    char *text = helia_alloc(arena, strcspn(p, "\n") + 1, 1);
    size_t n = 0;
    bool quoted = *p == '"';
    p += quoted;
    while (*p && *p != '\n' && *p != '\r') {
        if (quoted && *p == '"') {
            quoted = p[1] == '"';
            p++;
            if (!quoted)
                continue;
        } else if (!quoted && *p == ',') {
            break;
        }
        text[n++] = *p++;
    }
    *cell = text;
    bool more = *p == ',';
    if (*p == '\r')
        p++;
    if (*p)
        p++;
    *at = p;
    return more;
}

bool csv_read(HeliaArena *arena, HeliaDiag *diag, const char *path, Csv *out)
{
    FileBytes file;
    if (!file_read(arena, diag, path, &file))
        return false;
    const char *at = (const char *)file.at;
    for (bool first = true; *at; first = false) {
        CsvRow row = {{0}};
        bool more = true;
        while (more) {
            const char *cell;
            more = take_cell(arena, &at, &cell);
            HELIA_PUSH(arena, &row.cells, cell);
        }
        if (first)
            out->head = row;
        else
            HELIA_PUSH(arena, &out->rows, row);
    }
    return true;
}

const char *csv_cell(const Csv *csv, uint32_t row, const char *heading)
{
    const CsvRow *cells = &csv->rows.at[row];
    for (uint32_t i = 0; i < csv->head.cells.len && i < cells->cells.len; i++)
        if (strcmp(csv->head.cells.at[i], heading) == 0)
            return cells->cells.at[i];
    return "";
}
