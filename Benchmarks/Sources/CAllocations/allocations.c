#include "allocations.h"

#include <errno.h>
#include <stdlib.h>

#ifdef __GLIBC__

// A count per thread: it needs no atomic operation, and what other threads do stays out of it.
static __thread uint64_t count;

// glibc's own names for its allocator.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t items, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  count++;
  return __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
  count++;
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  count++;
  void *block = __libc_memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *out = block;
  return 0;
}

bool allocations_are_counted(void) { return true; }
uint64_t allocations_of_thread(void) { return count; }

#else

bool allocations_are_counted(void) { return false; }
uint64_t allocations_of_thread(void) { return 0; }

#endif
