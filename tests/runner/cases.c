/* The cases: index.csv with its models and answers, and the list of those that must be refused. */
#include "runner.h"
#include "support/file.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const char *identifier(HeliaArena *arena, const char *id, bool upper)
{
    char *text = helia_strdup(arena, id);
    for (char *p = text; *p; p++) {
        if (!isalnum((unsigned char)*p))
            *p = '_';
        *p = (char)(upper ? toupper((unsigned char)*p) : tolower((unsigned char)*p));
    }
    return text;
}

/* Lines "id word [ways]": the case, what the refusal's message must name, and where it is refused if not everywhere;
 * '#' begins a comment. */
typedef struct Refusal {
    const char *id, *word, *ways;
    bool used;
} Refusal;
typedef HELIA_VEC(Refusal) Refusals;

static bool read_refusals(Runner *r, const char *path, Refusals *out)
{
    FileBytes file;
    if (!path || !path_exists(path))
        return true;
    if (!file_read(r->arena, r->diag, path, &file))
        return false;
    for (char *line = strtok(helia_strdup(r->arena, (const char *)file.at), "\n"); line; line = strtok(NULL, "\n")) {
        if (line[0] == '#' || line[0] == 0)
            continue;
        const char *words[3] = {"", "", ""};
        const char *p = line;
        for (int i = 0; i < 3 && *p; i++) {
            size_t n = strcspn(p, " ");
            words[i] = helia_strndup(r->arena, p, n);
            p += n + (p[n] == ' ');
        }
        Refusal refusal = {words[0], words[1], words[2], false};
        HELIA_PUSH(r->arena, out, refusal);
    }
    return true;
}

static const Refusal *refusal_of(Refusals *refusals, const char *id)
{
    for (uint32_t i = 0; i < refusals->len; i++) {
        if (strcmp(refusals->at[i].id, id) == 0) {
            refusals->at[i].used = true;
            return &refusals->at[i];
        }
    }
    return NULL;
}

bool case_is_refused(const Runner *r, const Case *c, uint32_t way)
{
    if (!c->refused || !c->refused_ways[0])
        return c->refused != NULL;
    const char *name = r->ways.at[way];
    const size_t n = strlen(name);
    for (const char *p = c->refused_ways; p; p = strchr(p, ','), p = p ? p + 1 : NULL)
        if (strncmp(p, name, n) == 0 && (p[n] == 0 || p[n] == ','))
            return true;
    return false;
}

/* The notes "valid_by=1" and "range0=3:20", wherever they stand: some operators leave outputs as they are. */
static void read_note(Case *c, const char *note)
{
    const char *valid = strstr(note, "valid_by="), *range = strstr(note, "range0=");
    c->valid_by = valid ? (int32_t)strtol(valid + strlen("valid_by="), NULL, 10) : -1;
    c->range[0] = 0;
    c->range[1] = SIZE_MAX;
    if (range) {
        char *end;
        c->range[0] = strtoul(range + strlen("range0="), &end, 10);
        c->range[1] = strtoul(end + (*end == ':'), NULL, 10);
    }
}

static Case *new_case(Runner *r, const Csv *csv, uint32_t row, const char *index)
{
    Case *c = HELIA_NEW(r->arena, Case);
    c->id = csv_cell(csv, row, "id");
    c->prefix = identifier(r->arena, c->id, false);
    c->PREFIX = identifier(r->arena, c->id, true);
    c->model = file_path_beside(r->arena, index, csv_cell(csv, row, "model"));
    c->golden_path = file_path_beside(r->arena, index, csv_cell(csv, row, "golden"));
    c->ref = csv_cell(csv, row, "ref");
    c->tolerance_text = csv_cell(csv, row, "tol");
    c->steps = (uint32_t)strtoul(csv_cell(csv, row, "steps"), NULL, 10);
    read_note(c, csv_cell(csv, row, "note"));
    if (!npz_read(r->arena, r->diag, c->golden_path, &c->golden))
        c->broken = "its answers cannot be read";
    if (!tolerance_parse(c->tolerance_text, &c->tolerance))
        c->broken = helia_format(r->arena, "tolerance \"%s\"", c->tolerance_text);
    if (c->steps == 0)
        c->broken = "no steps";
    return c;
}

bool cases_load(Runner *r, const char *index, const char *refused, const char *pattern)
{
    Csv csv = {{{0}}, {0}};
    Refusals refusals = {0};
    if (!csv_read(r->arena, r->diag, index, &csv) || !read_refusals(r, refused, &refusals))
        return false;
    const char *wanted = helia_format(r->arena, "*%s*", pattern ? pattern : "");
    for (uint32_t row = 0; row < csv.rows.len; row++) {
        const Refusal *refusal = refusal_of(&refusals, csv_cell(&csv, row, "id"));
        if (fnmatch(wanted, csv_cell(&csv, row, "id"), 0) != 0)
            continue;
        Case *c = new_case(r, &csv, row, index);
        c->refused = refusal ? refusal->word : NULL;
        c->refused_ways = refusal ? refusal->ways : "";
        HELIA_PUSH(r->arena, &r->cases, c);
    }
    for (uint32_t i = 0; i < refusals.len; i++)
        if (!refusals.at[i].used)
            runner_check(r, refusals.at[i].id, "is on the list of refused cases, but there is no such case");
    return true;
}

void case_flags(Runner *r, Job *job)
{
    if (!r->plugin)
        return;
    job_arg(r->arena, job, "--plugin");
    job_arg(r->arena, job, r->plugin);
}

uint32_t case_expected(Runner *r, const Case *c, uint32_t o, uint32_t s, const NpzArray *out[2])
{
    const NpzArray *tflm = npz_find(&c->golden, helia_format(r->arena, "tflm%u_%u", o, s));
    const NpzArray *litert = npz_find(&c->golden, helia_format(r->arena, "litert%u_%u", o, s));
    uint32_t n = 0;
    if (tflm && strcmp(c->ref, "litert") != 0)
        out[n++] = tflm;
    if (litert && strcmp(c->ref, "tflm") != 0 && (n == 0 || strcmp(c->ref, "either") == 0))
        out[n++] = litert;
    return n;
}

/* Does the output hold anything after that step? */
static bool is_valid(Runner *r, const Case *c, uint32_t o, uint32_t s)
{
    const NpzArray *flag[2];
    if (o != 0 || c->valid_by < 0 || case_expected(r, c, (uint32_t)c->valid_by, s, flag) == 0)
        return true;
    const uint8_t *byte = flag[0]->data;
    return flag[0]->size == 0 || *byte != 0;
}

/* The elements of output 0 that count, as a vector. */
static void cut(NpzArray *array, const size_t range[2])
{
    const size_t count = array->size / array->item, to = range[1] < count ? range[1] : count;
    const size_t from = range[0] < to ? range[0] : to;
    array->data = (const uint8_t *)array->data + from * array->item;
    array->size = (to - from) * array->item;
    array->rank = 1;
    array->dim[0] = (int64_t)(to - from);
}

static const char *compare_output(Runner *r, const Case *c, uint32_t o, const NpzArray *expected, const NpzArray *got)
{
    const char *why = NULL;
    NpzArray a = *expected, b = *got;
    if (o == 0 && c->range[1] != SIZE_MAX && a.item == b.item) {
        if (a.size != b.size)
            why = helia_format(r->arena, "expected %zu bytes, got %zu", a.size, b.size);
        cut(&a, c->range);
        cut(&b, c->range);
    }
    return why ? why : compare_arrays(r->arena, &a, &b, c->tolerance);
}

const char *case_check_output(Runner *r, const Case *c, uint32_t o, uint32_t s, const NpzArray *got)
{
    const NpzArray *expected[2];
    uint32_t n = case_expected(r, c, o, s, expected);
    if (n == 0)
        return helia_format(r->arena, "output %u step %u: the case has no answer", o, s);
    if (!is_valid(r, c, o, s))
        return NULL;
    const char *why = compare_output(r, c, o, expected[0], got);
    if (why && n > 1 && !compare_output(r, c, o, expected[1], got))
        why = NULL;
    return why ? helia_format(r->arena, "output %u step %u: %s", o, s, why) : NULL;
}
