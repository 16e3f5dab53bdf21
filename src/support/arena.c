/* Arenas: chained blocks, freed all at once. The only place of the compiler that calls malloc. */
#include "support/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 16 };

typedef struct Block {
    struct Block *next;
    size_t size, used; /* of the bytes behind this header */
} Block;

struct ArenaGuard {
    ArenaGuard *next;
    void (*release)(void *object); /* NULL: cancelled */
    void *object;
};

struct HeliaArena {
    jmp_buf *escape;    /* of a root */
    Block *blocks;      /* the first one is being filled */
    ArenaGuard *guards; /* the latest first */
    HeliaArena *parent, *children, *next_sibling;
};

static size_t round_up(size_t n)
{
    return (n + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1);
}

static unsigned char *block_bytes(Block *b)
{
    return (unsigned char *)b + round_up(sizeof(Block));
}

_Noreturn static void out_of_memory(const HeliaArena *arena)
{
    while (arena->parent)
        arena = arena->parent;
    if (arena->escape)
        longjmp(*arena->escape, 1);
    fputs("helia-aot: out of memory\n", stderr);
    abort();
}

HeliaArena *helia_arena_new(jmp_buf *escape)
{
    HeliaArena *arena = calloc(1, sizeof(*arena));
    if (arena)
        arena->escape = escape;
    return arena;
}

jmp_buf *arena_set_escape(HeliaArena *root, jmp_buf *escape)
{
    jmp_buf *former = root->escape;
    root->escape = escape;
    return former;
}

HeliaArena *helia_arena_child(HeliaArena *parent)
{
    HeliaArena *child = helia_arena_new(NULL);
    if (!child)
        out_of_memory(parent);
    child->parent = parent;
    child->next_sibling = parent->children;
    parent->children = child;
    return child;
}

void helia_arena_free(HeliaArena *arena)
{
    if (!arena)
        return;
    while (arena->children)
        helia_arena_free(arena->children);
    for (ArenaGuard *g = arena->guards; g; g = g->next)
        if (g->release)
            g->release(g->object);
    if (arena->parent) {
        HeliaArena **link = &arena->parent->children;
        while (*link != arena)
            link = &(*link)->next_sibling;
        *link = arena->next_sibling;
    }
    while (arena->blocks) {
        Block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    free(arena);
}

void *helia_alloc(HeliaArena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 4) / size)
        out_of_memory(arena);
    size_t n = round_up(count * size);
    if (!n)
        n = ALIGNMENT;
    Block *b = arena->blocks;
    if (!b || b->size - b->used < n) {
        size_t capacity = n > BLOCK_SIZE / 4 ? n : BLOCK_SIZE;
        Block *fresh = calloc(1, round_up(sizeof(Block)) + capacity);
        if (!fresh)
            out_of_memory(arena);
        fresh->size = capacity;
        if (b && capacity == n) { /* a block of its own: keep filling the current one */
            fresh->next = b->next;
            b->next = fresh;
        } else {
            fresh->next = b;
            arena->blocks = fresh;
        }
        b = fresh;
    }
    void *p = block_bytes(b) + b->used;
    b->used += n;
    return p;
}

ArenaGuard *arena_guard(HeliaArena *arena, void (*release)(void *object), void *object)
{
    ArenaGuard *g = HELIA_NEW(arena, ArenaGuard);
    *g = (ArenaGuard){arena->guards, release, object};
    arena->guards = g;
    return g;
}

void arena_guard_cancel(ArenaGuard *guard)
{
    guard->release = NULL;
}

char *helia_strndup(HeliaArena *arena, const char *text, size_t n)
{
    char *copy = helia_alloc(arena, n + 1, 1);
    if (n)
        memcpy(copy, text, n);
    return copy;
}

char *helia_strdup(HeliaArena *arena, const char *text)
{
    return helia_strndup(arena, text, strlen(text));
}

void *helia_memdup(HeliaArena *arena, const void *bytes, size_t n)
{
    void *copy = helia_alloc(arena, n, 1);
    if (n)
        memcpy(copy, bytes, n);
    return copy;
}

char *helia_vformat(HeliaArena *arena, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    char *text = helia_alloc(arena, n < 0 ? 1 : (size_t)n + 1, 1);
    if (n > 0)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

char *helia_format(HeliaArena *arena, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = helia_vformat(arena, fmt, args);
    va_end(args);
    return text;
}

void *helia_vec_grow(HeliaArena *arena, void *at, uint32_t len, uint32_t *cap, size_t item_size)
{
    if (len < *cap)
        return at;
    uint32_t wanted = *cap ? *cap * 2u : 8u;
    if (wanted < *cap)
        out_of_memory(arena);
    void *fresh = helia_alloc(arena, wanted, item_size);
    if (len)
        memcpy(fresh, at, (size_t)len * item_size);
    *cap = wanted;
    return fresh;
}
