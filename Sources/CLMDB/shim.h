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
