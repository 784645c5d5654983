// Counts what the calling thread allocates on the heap, by standing in front of the C library's
// allocator. Linking it is enough: malloc, calloc, realloc and the aligned forms of this program
// and of every library that it loads come through here, at the price of one increment each.
//
// Only glibc lets itself be stood in front of this way; elsewhere nothing is counted.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted on this system.
bool allocations_are_counted(void);
/// How many allocations the calling thread has made so far; 0 where they are not counted.
uint64_t allocations_of_thread(void);

#endif
