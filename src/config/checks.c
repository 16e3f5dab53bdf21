/* What texts of certain keys must look like. */
#include "config/keys.h"

#include <ctype.h>
#include <string.h>

static bool in_list(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

static const char *sha256_fault(HeliaArena *arena, const char *text)
{
    (void)arena;
    size_t n = strspn(text, "0123456789abcdef");
    return n == 64 && !text[n] ? NULL : "it is something else";
}

const KeyCheck check_sha256 = {"64 lower-case hexadecimal digits", "^[0-9a-f]{64}$", sha256_fault};

/* Leading underscores are left to the C implementation: a prefix is also used in upper case for macros. */
static const char *identifier_fault(HeliaArena *arena, const char *text)
{
    /* clang-format off */
    static const char *const keywords[] = {
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
        "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
        "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
        "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
        "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
        "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return",
        "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
        "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union",
        "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", NULL};
    /* clang-format on */
    enum { LONGEST = 64 };
    (void)arena;
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (!n || text[n])
        return "it has other characters than letters, digits and underscores";
    if (isdigit((unsigned char)text[0]))
        return "it begins with a digit";
    if (text[0] == '_')
        return "it begins with an underscore, which is reserved";
    if (n > LONGEST)
        return "it is longer than 64 characters";
    return in_list(text, keywords) ? "it is a keyword of C or C++" : NULL;
}

const KeyCheck check_identifier = {"a C identifier", "^[A-Za-z][A-Za-z0-9_]{0,63}$", identifier_fault};

static const char *module_name_fault(HeliaArena *arena, const char *text)
{
    static const char *const targets[] = {"all",     "ALL_BUILD",  "clean",         "edit_cache", "help",
                                          "install", "INSTALL",    "package",       "PACKAGE",    "package_source",
                                          "depend",  "preinstall", "rebuild_cache", "RUN_TESTS",  "test",
                                          "Nightly", "Continuous", "Experimental",  "ZERO_CHECK", NULL};
    const char *fault = identifier_fault(arena, text);
    return fault ? fault : in_list(text, targets) ? "it is a reserved target of CMake" : NULL;
}

const KeyCheck check_module_name = {"a C identifier", "^[A-Za-z][A-Za-z0-9_]{0,63}$", module_name_fault};

static const char *platform_fault(HeliaArena *arena, const char *text)
{
    return platform_find(text) ? NULL : helia_format(arena, "the nearest is \"%s\"", platform_nearest(text));
}

const KeyCheck check_platform = {"a chip or board of \"helia-aot platforms list\"", NULL, platform_fault};

static const char *cpu_fault(HeliaArena *arena, const char *text)
{
    (void)arena;
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || (n && strchr("-+._", text[n]) && text[n]))
        n++;
    return n && !text[n] && n <= 32 ? NULL : "it is no name of a core";
}

const KeyCheck check_cpu = {"a core such as cortex-m55", "^[A-Za-z0-9][A-Za-z0-9+._-]{0,31}$", cpu_fault};
