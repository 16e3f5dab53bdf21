/* The escape of an arena, for the boundary of the library, and what else an arena's end takes with it. */
#ifndef SUPPORT_ARENA_H
#define SUPPORT_ARENA_H

#include <helia_aot/support.h>

/* Sets where running out of memory jumps to, for a root arena and all below it; returns what it was. */
jmp_buf *arena_set_escape(HeliaArena *root, jmp_buf *escape);

/* Something outside the arena (a parser of a library, a half-written folder) that must not outlive it: release(object)
 * is called when the arena is freed, the latest first, also after running out of memory. Registered before the thing is
 * made; who is done with it in the ordinary way cancels. */
typedef struct ArenaGuard ArenaGuard;
ArenaGuard *arena_guard(HeliaArena *arena, void (*release)(void *object), void *object);
void arena_guard_cancel(ArenaGuard *guard);

#endif
