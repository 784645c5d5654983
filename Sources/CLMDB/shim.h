#include <lmdb.h>

#ifdef __linux__
// The kind of a file system, which Swift's module for the C library leaves out.
#include <sys/vfs.h>
// Extended attributes, which it leaves out too.
#include <sys/xattr.h>
// And a call of its own that sets room for a file aside.
int fallocate(int descriptor, int mode, off_t offset, off_t length);
// And one that says of a file only what it is asked for.
#include <linux/stat.h>
int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *status);
#endif

// The check CRC-32C by the processor's instruction for it, which Swift cannot call. SSE 4.2 has it, and so has
// every later processor of x86; of ARM, those that the compiler is told of.
#include <stddef.h>
#include <string.h>
#if defined(__x86_64__)
static inline int has_crc32c(void) { return __builtin_cpu_supports("sse4.2") != 0; }
__attribute__((target("sse4.2")))
static inline unsigned int add_crc32c(unsigned int sum, const void *bytes, size_t count) {
  const unsigned char *next = (const unsigned char *)bytes;
  unsigned long long wide = sum, word;
  for (; count >= 8; next += 8, count -= 8) {
    memcpy(&word, next, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  sum = (unsigned int)wide;
  for (; count > 0; next++, count--) sum = __builtin_ia32_crc32qi(sum, *next);
  return sum;
}
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
static inline int has_crc32c(void) { return 1; }
static inline unsigned int add_crc32c(unsigned int sum, const void *bytes, size_t count) {
  const unsigned char *next = (const unsigned char *)bytes;
  unsigned long long word;
  for (; count >= 8; next += 8, count -= 8) {
    memcpy(&word, next, 8);
    sum = __builtin_arm_crc32cd(sum, word);
  }
  for (; count > 0; next++, count--) sum = __builtin_arm_crc32cb(sum, *next);
  return sum;
}
#else
static inline int has_crc32c(void) { return 0; }
static inline unsigned int add_crc32c(unsigned int sum, const void *bytes, size_t count) { return sum; }
#endif
