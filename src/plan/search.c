/* Exact search: is there a plan of at most so many bytes?
 *
 * Time is cut into columns, one for each largest set of buffers that live together; a buffer is a rectangle over some
 * neighbouring columns. The search builds plans from the ground up. Each column has a floor, below which nothing will
 * be placed any more. A node picks one column and decides what its lowest buffer still to come is: one that can stand
 * on the column's floor, or none of those, which raises the floor to the next height that anything could stand at.
 * Every plan in which no buffer can be moved down is reached, along one way only. What keeps the tree small:
 *  - floor plus the sizes still to come must not exceed the capacity in any column;
 *  - a plan with a hole that a buffer still to come would fit into is left out: there is one with the hole filled;
 *  - groups of columns that no buffer to come connects are solved one after the other, each once;
 *  - of equal buffers the first is placed first;
 *  - a situation that failed is remembered by its hash and not searched again. */
#include "plan/search.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN_BITS = 18 };
#define NONE UINT32_MAX

typedef struct Rect {
    uint32_t from, to; /* columns, inclusive */
    size_t size, align;
    size_t floor;  /* the lowest offset possible now */
    uint32_t buf;  /* index of the buffer */
    uint32_t twin; /* the rectangle before it that is equal; NONE */
    bool placed;
    size_t offset;
} Rect;

typedef struct Column {
    size_t top;          /* of the highest buffer placed */
    size_t floor;        /* nothing to come is placed below */
    size_t rest;         /* sum of the sizes to come */
    size_t next_floor;   /* the smallest floor of the rectangles to come, while a node looks at it */
    uint32_t options;    /* rectangles that can stand on the floor, likewise */
    bool uneven;         /* one of them bridges a lower floor, likewise */
    uint32_t crossing;   /* rectangles to come that reach into the next column */
    uint32_t first_rect; /* rectangles that begin in or behind this column begin here */
} Column;

/* What undoing needs: a column's former heights, or a rectangle that was placed (column NONE). */
typedef struct Change {
    uint32_t column, rect;
    size_t top, floor;
} Change;

struct Search {
    HeliaArena *arena;
    Rect *rects; /* by first column */
    uint32_t n_rects;
    Column *columns; /* one more than there are, for first_rect */
    uint32_t n_columns;
    size_t unit; /* divides every offset of a plan in which nothing can be moved down */
    size_t capacity;
    size_t next_capacity; /* the least that any node cut off would have needed */
    uint64_t steps, step_limit;
    uint32_t depth;
    uint32_t variant; /* order in which rectangles are tried */
    HELIA_VEC(Change) trail;
    HELIA_VEC(uint32_t) options; /* a stack: each node's rectangles to try */
    uint64_t *seen;
};

/* ---- columns and rectangles ------------------------------------------------------------------- */
static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Positions that stand for the columns: each the last beginning before an end. */
static uint32_t *find_columns(HeliaArena *arena, const PlanBuf *bufs, uint32_t n, uint32_t *count)
{
    uint32_t *firsts = HELIA_NEW_N(arena, uint32_t, n), *lasts = HELIA_NEW_N(arena, uint32_t, n);
    uint32_t *columns = HELIA_NEW_N(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        firsts[i] = bufs[i].first;
        lasts[i] = bufs[i].last;
    }
    qsort(firsts, n, sizeof(*firsts), by_number);
    qsort(lasts, n, sizeof(*lasts), by_number);
    *count = 0;
    for (uint32_t i = 0, ended = 0; i < n; i++) {
        bool fresh = *count == 0;
        for (; ended < n && lasts[ended] < firsts[i]; ended++)
            fresh = true;
        *count += fresh;
        columns[*count - 1] = firsts[i];
    }
    return columns;
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int by_column(const void *x, const void *y)
{
    const Rect *a = x, *b = y;
    if (a->from != b->from)
        return (a->from > b->from) - (a->from < b->from);
    if (a->to != b->to)
        return (a->to < b->to) - (a->to > b->to);
    if (a->size != b->size)
        return (a->size < b->size) - (a->size > b->size);
    if (a->align != b->align)
        return (a->align < b->align) - (a->align > b->align);
    return (a->buf > b->buf) - (a->buf < b->buf);
}

/* The first column not before a position. */
static uint32_t column_at(const uint32_t *columns, uint32_t n, uint32_t position)
{
    uint32_t low = 0;
    while (n > low) {
        uint32_t middle = low + (n - low) / 2;
        if (columns[middle] < position)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static void set_up(Search *s, const PlanBuf *bufs, uint32_t n)
{
    uint32_t count, *positions = find_columns(s->arena, bufs, n, &count);
    s->rects = HELIA_NEW_N(s->arena, Rect, n);
    s->n_columns = count;
    s->columns = HELIA_NEW_N(s->arena, Column, (size_t)count + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (bufs[i].size == 0)
            continue;
        Rect r = {.size = bufs[i].size, .align = bufs[i].align, .buf = i, .twin = NONE};
        r.from = column_at(positions, count, bufs[i].first);
        r.to = column_at(positions, count, bufs[i].last);
        if (r.to == count || positions[r.to] > bufs[i].last)
            r.to--;
        s->rects[s->n_rects++] = r;
        s->unit = common_divisor(s->unit, r.size);
        s->unit = common_divisor(s->unit, r.align > 1 ? r.align : s->unit);
    }
    qsort(s->rects, s->n_rects, sizeof(*s->rects), by_column);
    for (uint32_t i = 0; i < s->n_rects; i++) {
        const Rect *r = &s->rects[i], *before = i ? r - 1 : NULL;
        if (before && before->from == r->from && before->to == r->to && before->size == r->size &&
            before->align == r->align)
            s->rects[i].twin = i - 1;
        for (uint32_t c = r->from; c <= r->to; c++) {
            s->columns[c].rest += r->size;
            s->columns[c].crossing += c < r->to;
        }
    }
    for (uint32_t c = 0, i = 0; c <= count; c++) {
        while (i < s->n_rects && s->rects[i].from < c)
            i++;
        s->columns[c].first_rect = i;
    }
}

/* ---- moves ------------------------------------------------------------------------------------ */
static bool exceeds(Search *s, size_t needed)
{
    if (needed <= s->capacity)
        return false;
    s->next_capacity = needed < s->next_capacity ? needed : s->next_capacity;
    return true;
}

static void set_heights(Search *s, uint32_t column, size_t top, size_t floor)
{
    Column *c = &s->columns[column];
    HELIA_PUSH(s->arena, &s->trail, ((Change){column, NONE, c->top, c->floor}));
    c->top = top;
    c->floor = floor;
}

static void count_rect(Search *s, const Rect *r, bool placed)
{
    for (uint32_t c = r->from; c <= r->to; c++) {
        s->columns[c].rest += placed ? 0 - r->size : r->size;
        s->columns[c].crossing += c == r->to ? 0 : placed ? 0 - 1u : 1u;
    }
}

static void undo(Search *s, uint32_t mark)
{
    while (s->trail.len > mark) {
        const Change *change = &s->trail.at[--s->trail.len];
        if (change->column != NONE) {
            s->columns[change->column].top = change->top;
            s->columns[change->column].floor = change->floor;
        } else {
            s->rects[change->rect].placed = false;
            count_rect(s, &s->rects[change->rect], false);
        }
    }
}

/* Would a rectangle still to come fit between what is placed and the floor? Then a plan with it in there is as good. */
static bool fits_into_hole(const Search *s, const Rect *r)
{
    size_t at = 0;
    for (uint32_t c = r->from; c <= r->to; c++)
        at = s->columns[c].top > at ? s->columns[c].top : at;
    at = plan_align(at, r->align) + r->size;
    for (uint32_t c = r->from; c <= r->to; c++)
        if (s->columns[c].floor < at)
            return false;
    return true;
}

/* Raises floors to where the rectangles to come can stand at the lowest; false if something does not fit any more. */
static bool settle(Search *s, uint32_t from, uint32_t to)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t c = from; c <= to; c++) {
            s->columns[c].next_floor = SIZE_MAX;
            s->columns[c].options = 0;
            s->columns[c].uneven = false;
        }
        for (uint32_t i = s->columns[from].first_rect; i < s->columns[to + 1].first_rect; i++) {
            Rect *r = &s->rects[i];
            if (r->placed)
                continue;
            size_t floor = 0, lowest = SIZE_MAX;
            s->steps += r->to - r->from + 1;
            for (uint32_t c = r->from; c <= r->to; c++) {
                floor = s->columns[c].floor > floor ? s->columns[c].floor : floor;
                lowest = s->columns[c].floor < lowest ? s->columns[c].floor : lowest;
            }
            r->floor = floor = plan_align(floor, r->align);
            bool first = r->twin == NONE || s->rects[r->twin].placed;
            for (uint32_t c = r->from; c <= r->to; c++) {
                Column *column = &s->columns[c];
                column->next_floor = floor < column->next_floor ? floor : column->next_floor;
                column->options += first && floor == column->floor;
                column->uneven = column->uneven || (floor == column->floor && lowest < floor);
            }
        }
        for (uint32_t c = from; c <= to; c++) {
            Column *column = &s->columns[c];
            if (column->rest == 0 || column->next_floor <= column->floor)
                continue;
            if (exceeds(s, column->next_floor + column->rest))
                return false;
            set_heights(s, c, column->top, column->next_floor);
            changed = true;
        }
    }
    for (uint32_t i = s->columns[from].first_rect; i < s->columns[to + 1].first_rect; i++)
        if (!s->rects[i].placed && fits_into_hole(s, &s->rects[i]))
            return false;
    return true;
}

/* Stands the rectangle on its floor. */
static bool place(Search *s, uint32_t index)
{
    Rect *r = &s->rects[index];
    r->placed = true;
    r->offset = r->floor;
    count_rect(s, r, true);
    HELIA_PUSH(s->arena, &s->trail, ((Change){NONE, index, 0, 0}));
    /* Holes are judged while the tops are still the former ones. */
    bool hole = false, ok = true;
    uint32_t left = r->from, right = r->to;
    for (uint32_t c = r->from; c <= r->to; c++) {
        hole = hole || s->columns[c].top < r->offset;
        set_heights(s, c, s->columns[c].top, r->offset);
    }
    for (; hole && left > 0 && s->columns[left - 1].crossing; left--)
        continue;
    for (; hole && right + 1 < s->n_columns && s->columns[right].crossing; right++)
        continue;
    for (uint32_t i = hole ? s->columns[left].first_rect : 0; hole && ok && i < s->columns[right + 1].first_rect; i++) {
        const Rect *other = &s->rects[i];
        if (!other->placed && other->from <= r->to && r->from <= other->to && fits_into_hole(s, other))
            ok = false;
    }
    for (uint32_t c = r->from; c <= r->to; c++) {
        size_t top = r->offset + r->size;
        set_heights(s, c, top, top);
        if (ok && exceeds(s, top + s->columns[c].rest))
            ok = false;
    }
    return ok;
}

/* The least that a column's floor becomes if no rectangle stands on it as it is now: its lowest rectangle then stands
 * on another column's floor, or on a rectangle to come that does not reach into this column. */
static size_t raised_floor(const Search *s, uint32_t column, uint32_t from, uint32_t to)
{
    const size_t floor = s->columns[column].floor;
    size_t support = SIZE_MAX, raised = SIZE_MAX;
    for (uint32_t i = s->columns[from].first_rect; i < s->columns[to + 1].first_rect; i++) {
        const Rect *r = &s->rects[i];
        bool reaches = r->from <= column && column <= r->to;
        size_t top = r->floor + r->size > floor ? r->floor + r->size : floor + s->unit;
        if (!r->placed && !reaches && top < support)
            support = top;
    }
    for (uint32_t i = s->columns[from].first_rect; i < s->columns[column + 1].first_rect; i++) {
        const Rect *r = &s->rects[i];
        if (r->placed || r->to < column)
            continue;
        size_t at = r->floor > floor ? r->floor : support == SIZE_MAX ? SIZE_MAX : plan_align(support, r->align);
        raised = at < raised ? at : raised;
    }
    return raised;
}

/* ---- search ----------------------------------------------------------------------------------- */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

/* Of everything that decides how the search goes on between two columns. */
static uint64_t situation(const Search *s, uint32_t from, uint32_t to)
{
    uint64_t hash = mix(mix(s->capacity, from), to);
    for (uint32_t c = from; c <= to; c++) {
        hash = mix(hash, s->columns[c].floor);
        hash = mix(hash, s->columns[c].top);
    }
    for (uint32_t i = s->columns[from].first_rect; i < s->columns[to + 1].first_rect; i++)
        if (!s->rects[i].placed)
            hash = mix(hash, i);
    return hash ? hash : 1;
}

/* The column with the fewest ways to go on, then the fewest bytes to spare. A column with a rectangle that would bridge
 * lower floors has to wait, because others may come under it; the lowest column of all has none. */
static uint32_t choose_column(const Search *s, uint32_t from, uint32_t to)
{
    uint32_t best = from, best_ways = UINT32_MAX;
    size_t best_spare = SIZE_MAX;
    for (uint32_t c = from; c <= to; c++) {
        const Column *column = &s->columns[c];
        if (column->rest == 0 || column->uneven)
            continue;
        size_t spare = s->capacity - column->floor - column->rest;
        uint32_t ways = column->options + (spare >= s->unit);
        if (ways < best_ways || (ways == best_ways && spare < best_spare)) {
            best = c;
            best_ways = ways;
            best_spare = spare;
        }
    }
    return best;
}

/* Should `a` be tried before `b`? Long ones first leave fewer steps in the floor; large ones are the harder ones. */
static bool before(const Search *s, const Rect *a, const Rect *b)
{
    uint32_t la = a->to - a->from, lb = b->to - b->from;
    if (s->variant % 2 == 0 && la != lb)
        return la > lb;
    if (s->variant > 2) {
        uint64_t x = mix(s->variant, (uint64_t)(a - s->rects)), y = mix(s->variant, (uint64_t)(b - s->rects));
        return x < y;
    }
    if (a->size != b->size)
        return a->size > b->size;
    return la != lb ? la > lb : a < b;
}

static void push_options(Search *s, uint32_t column, uint32_t from)
{
    uint32_t begin = s->options.len;
    for (uint32_t i = s->columns[from].first_rect; i < s->columns[column + 1].first_rect; i++) {
        const Rect *r = &s->rects[i];
        if (r->placed || r->to < column || r->floor != s->columns[column].floor ||
            (r->twin != NONE && !s->rects[r->twin].placed))
            continue;
        uint32_t k = s->options.len;
        HELIA_PUSH(s->arena, &s->options, i);
        for (; k > begin && before(s, r, &s->rects[s->options.at[k - 1]]); k--)
            s->options.at[k] = s->options.at[k - 1];
        s->options.at[k] = i;
    }
}

static Outcome search(Search *s, uint32_t from, uint32_t to);

/* Each group of columns that rectangles to come connect, on its own. */
static Outcome search_groups(Search *s, uint32_t from, uint32_t to)
{
    for (uint32_t c = from; c <= to; c++) {
        uint32_t end = c;
        while (end < to && s->columns[end].crossing)
            end++;
        Outcome outcome = s->columns[c].rest == 0 && end == c ? SOLVED : search(s, c, end);
        if (outcome != SOLVED)
            return outcome;
        c = end;
    }
    return SOLVED;
}

static Outcome try_options(Search *s, uint32_t from, uint32_t to)
{
    uint32_t column = choose_column(s, from, to), mark = s->trail.len, begin = s->options.len;
    size_t floor = s->columns[column].floor, raised = raised_floor(s, column, from, to);
    push_options(s, column, from);
    Outcome outcome = FAILED;
    for (uint32_t k = begin; k < s->options.len && outcome == FAILED; k++) {
        s->rects[s->options.at[k]].floor = floor; /* deeper nodes have changed it */
        outcome = place(s, s->options.at[k]) ? search_groups(s, from, to) : FAILED;
        if (outcome == FAILED)
            undo(s, mark);
    }
    s->options.len = begin;
    if (outcome == FAILED && raised != SIZE_MAX && !exceeds(s, raised + s->columns[column].rest)) {
        set_heights(s, column, s->columns[column].top, raised);
        outcome = search(s, from, to);
    }
    return outcome;
}

static Outcome search(Search *s, uint32_t from, uint32_t to)
{
    if (s->steps >= s->step_limit || s->depth >= SEARCH_MAX_BUFFERS)
        return OUT_OF_STEPS;
    s->steps++;
    s->depth++;
    uint32_t mark = s->trail.len;
    Outcome outcome = FAILED;
    if (settle(s, from, to)) {
        uint64_t hash = situation(s, from, to), *seen = &s->seen[hash >> (64 - SEEN_BITS)];
        outcome = *seen == hash ? FAILED : try_options(s, from, to);
        if (outcome == FAILED)
            *seen = hash;
    }
    if (outcome == FAILED)
        undo(s, mark);
    s->depth--;
    return outcome;
}

Search *search_new(HeliaArena *arena, const PlanBuf *bufs, uint32_t n)
{
    Search *s = HELIA_NEW(arena, Search);
    s->arena = arena;
    set_up(s, bufs, n);
    s->seen = HELIA_NEW_N(arena, uint64_t, (size_t)1 << SEEN_BITS);
    return s;
}

Outcome search_ask(Search *s, size_t capacity, uint64_t steps, uint32_t variant, PlanBuf *bufs, size_t *answer)
{
    s->capacity = capacity;
    s->next_capacity = SIZE_MAX;
    s->step_limit = s->steps + steps;
    s->variant = variant;
    memset(s->seen, 0, sizeof(*s->seen) << SEEN_BITS);
    Outcome outcome = search_groups(s, 0, s->n_columns - 1);
    if (outcome == FAILED)
        *answer = s->next_capacity;
    if (outcome == SOLVED) {
        *answer = 0;
        for (uint32_t i = 0; i < s->n_rects; i++) {
            const Rect *r = &s->rects[i];
            bufs[r->buf].offset = r->offset;
            *answer = r->offset + r->size > *answer ? r->offset + r->size : *answer;
        }
    }
    undo(s, 0);
    s->options.len = 0;
    s->depth = 0;
    return outcome;
}

uint64_t search_steps(const Search *s)
{
    return s->steps;
}
