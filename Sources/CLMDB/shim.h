#include <lmdb.h>

#ifdef __linux__
// The kind of a file system, which Swift's module for the C library leaves out.
#include <sys/vfs.h>
#endif
