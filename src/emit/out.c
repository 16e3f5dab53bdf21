/* Text with indentation, and single values as C text. */
#include "emit/emit_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct HeliaOut {
    HeliaArena *arena;
    char *text;
    size_t len, cap;
    uint32_t level;
};

HeliaOut *helia_out_new(HeliaArena *arena)
{
    HeliaOut *o = HELIA_NEW(arena, HeliaOut);
    o->arena = arena;
    o->cap = 512;
    o->text = helia_alloc(arena, o->cap, 1);
    return o;
}

void helia_out_text(HeliaOut *o, const char *text, size_t n)
{
    if (n >= o->cap - o->len) {
        size_t cap = o->cap * 2 > o->len + n + 1 ? o->cap * 2 : o->len + n + 1;
        char *fresh = helia_alloc(o->arena, cap, 1);
        memcpy(fresh, o->text, o->len);
        o->text = fresh;
        o->cap = cap;
    }
    if (n)
        memcpy(o->text + o->len, text, n);
    o->len += n;
    o->text[o->len] = '\0';
}

static void put_line(HeliaOut *o, const char *fmt, va_list args, const char *tail)
{
    char small[256];
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(small, sizeof(small), fmt, args);
    const char *text = n >= 0 && (size_t)n < sizeof(small) ? small : helia_vformat(o->arena, fmt, again);
    va_end(again);
    if (*text)
        for (uint32_t i = 0; i < o->level; i++)
            helia_out_text(o, "    ", 4);
    helia_out_text(o, text, strlen(text));
    helia_out_text(o, tail, strlen(tail));
    helia_out_text(o, "\n", 1);
}

void helia_out_line(HeliaOut *o, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_line(o, fmt, args, "");
    va_end(args);
}

void helia_out_open(HeliaOut *o, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_line(o, fmt, args, " {");
    va_end(args);
    o->level++;
}

void helia_out_close(HeliaOut *o, const char *tail)
{
    if (o->level)
        o->level--;
    helia_out_line(o, "}%s", tail);
}

const char *helia_out_string(const HeliaOut *o, size_t *n)
{
    if (n)
        *n = o->len;
    return o->text;
}

const char *helia_float_text(HeliaArena *arena, float value)
{
    if (isnan(value))
        return "(0.0f / 0.0f)";
    if (isinf(value))
        return value > 0 ? "(1.0f / 0.0f)" : "(-1.0f / 0.0f)";
    char text[32];
    for (int digits = 1; digits <= 9; digits++) { /* nine always read back to the same bits */
        snprintf(text, sizeof(text), "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    return helia_format(arena, "%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
}

const char *comment_text(HeliaArena *arena, const char *text)
{
    char *safe = helia_strdup(arena, helia_printable(arena, text));
    for (char *c = safe; *c; c++)
        if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*'))
            c[1] = '_';
    return safe;
}

const char *string_literal(HeliaArena *arena, const char *text)
{
    enum { LIMIT = 200 };
    HeliaOut *o = helia_out_new(arena);
    helia_out_text(o, "\"", 1);
    for (size_t i = 0; text[i] && i < LIMIT; i++) {
        unsigned char c = (unsigned char)text[i];
        char octal[8];
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?') { /* '?' could make a trigraph */
            helia_out_text(o, (const char *)&c, 1);
        } else {
            int n = snprintf(octal, sizeof(octal), "\\%03o", c);
            helia_out_text(o, octal, (size_t)n);
        }
    }
    helia_out_text(o, "\"", 1);
    return helia_out_string(o, NULL);
}

const char *markdown_code(HeliaArena *arena, const char *text)
{
    char *safe = helia_strdup(arena, helia_printable(arena, text));
    for (char *c = safe; *c; c++)
        if (*c == '`' || *c == '|')
            *c = '_';
    return helia_format(arena, "`%s`", *safe ? safe : " ");
}
