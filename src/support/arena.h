/* The escape of an arena, for the boundary of the library. */
#ifndef SUPPORT_ARENA_H
#define SUPPORT_ARENA_H

#include <helia_aot/support.h>

/* Sets where running out of memory jumps to, for a root arena and all below it; returns what it was. */
jmp_buf *arena_set_escape(HeliaArena *root, jmp_buf *escape);

#endif
