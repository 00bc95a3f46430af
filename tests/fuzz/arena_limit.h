/* For fuzz programs of single readers: an arena that is full ends the run, not the program, and what
 * must hold is a crash if it does not. */
#ifndef KVSIM_FUZZ_ARENA_LIMIT_H
#define KVSIM_FUZZ_ARENA_LIMIT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

static jmp_buf full;

/* The arena's callback; setjmp(full) comes first. */
static void jump_out(void *context)
{
    (void)context;
    longjmp(full, 1);
}

static void must(bool holds)
{
    if (!holds)
        abort();
}

#endif
