/* Exact search for one question at a time. */
#ifndef PLAN_SEARCH_H
#define PLAN_SEARCH_H

#include "plan/planner_int.h"

/* More buffers than this are not searched: the tree is as deep as there are buffers, and so is the stack. */
enum { SEARCH_MAX_BUFFERS = 5000 };

typedef struct Search Search;
typedef enum Outcome { FAILED, SOLVED, OUT_OF_STEPS } Outcome;

/* The buffers are to be the same in every question. */
Search *search_new(HeliaArena *arena, const PlanBuf *bufs, uint32_t n);
/* Is there a plan of at most `capacity` bytes? SOLVED: its offsets go to the buffers and its peak to *answer. FAILED:
 * there is none, and *answer is the least capacity for which there may be one. `variant` chooses among the orders in
 * which buffers are tried. */
Outcome search_ask(Search *s, size_t capacity, uint64_t steps, uint32_t variant, PlanBuf *bufs, size_t *answer);
uint64_t search_steps(const Search *s); /* taken so far */

#endif
