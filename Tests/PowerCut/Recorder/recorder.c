// The functions of the C library that change files, defined by the program itself: the dynamic
// linker then gives them to liblmdb too. Each makes the system call, and writes a record of it to
// the trace while one is kept. All of that happens under one lock of all processes that write to
// the trace, so that the order of the records is the order of what they tell.
//
// Nothing here waits for a disk: the syncs are recorded, and not made.
#ifdef __linux__
#define _GNU_SOURCE
#include "CPowerCut.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int trace = -1;
static char folder[PATH_MAX];
static size_t folder_length;
static long calls_to_live, calls_to_fault;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static long plain_write(int fd, const void *bytes, size_t count) {
  return syscall(SYS_write, fd, bytes, count);
}

static void fail(const char *what) {
  dprintf(2, "powercut: %s: %s\n", what, strerror(errno));
  abort();
}

static void lock(void) {
  pthread_mutex_lock(&mutex);
  while (trace >= 0 && flock(trace, LOCK_EX) != 0) {
    if (errno != EINTR) fail("the trace cannot be locked");
  }
}

static void unlock(void) {
  int code = errno;
  if (trace >= 0) flock(trace, LOCK_UN);
  pthread_mutex_unlock(&mutex);
  errno = code;
}

static void record(
    enum powercut_kind kind, int is_synced, unsigned long file, unsigned long offset,
    const struct iovec *parts, int count) {
  static const char zeros[8];
  struct powercut_record head = {kind, is_synced, file, offset, 0};
  struct iovec all[IOV_MAX];
  if (count > IOV_MAX - 2) { errno = EINVAL; fail("too many buffers"); }
  all[0] = (struct iovec){&head, sizeof head};
  for (int i = 0; i < count; i++) {
    all[i + 1] = parts[i];
    head.length += parts[i].iov_len;
  }
  size_t padding = -head.length & 7;
  all[count + 1] = (struct iovec){(void *)zeros, padding};
  long expected = sizeof head + head.length + padding;
  // One call appends a whole record.
  if (syscall(SYS_writev, trace, all, count + 2) != expected) fail("the trace cannot be written");
}

static void record_text(enum powercut_kind kind, unsigned long file, const char *text) {
  struct iovec part = {(void *)text, strlen(text)};
  record(kind, 0, file, 0, &part, 1);
}

// The name of a path in the folder, or NULL when it lies elsewhere. Paths come without links.
static const char *name_in_folder(const char *path) {
  if (strncmp(path, folder, folder_length) != 0 || path[folder_length] != '/') return NULL;
  const char *name = path + folder_length + 1;
  return *name == 0 || strchr(name, '/') ? NULL : name;
}

// What a descriptor is: a file of the folder (1), the folder itself (2), or neither.
static int kind_of(int fd, unsigned long *file) {
  char link[64], path[PATH_MAX];
  if (trace < 0 || fd == trace) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  struct stat status;
  if (fstat(fd, &status) != 0) return 0;
  *file = status.st_ino;
  if (strcmp(path, folder) == 0) return 2;
  return name_in_folder(path) && S_ISREG(status.st_mode) ? 1 : 0;
}

static void die(void) { syscall(SYS_kill, getpid(), SIGKILL); }

// Whether the process is to die at this call.
static int is_last_call(void) { return calls_to_live > 0 && --calls_to_live == 0; }

// Whether this call is to fail.
static int is_faulty(void) { return calls_to_fault > 0 && --calls_to_fault == 0; }

static ssize_t write_at(int fd, const struct iovec *parts, int count, off_t offset, int moves) {
  unsigned long file;
  lock();
  if (kind_of(fd, &file) != 1) {
    unlock();
    if (moves) return syscall(SYS_writev, fd, parts, count);
    return syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
  }
  int flags = fcntl(fd, F_GETFL);
  if (moves) offset = syscall(SYS_lseek, fd, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  int is_synced = (flags & O_DSYNC) != 0;
  if (is_faulty()) {
    struct iovec part = {parts[0].iov_base, parts[0].iov_len / 2 & ~511ul};
    if (part.iov_len > 0 && offset / 4096 % 2) {
      syscall(SYS_pwritev, fd, &part, 1, (long)offset, 0L);
      record(POWERCUT_WRITE, 0, file, offset, &part, 1);
    }
    unlock();
    errno = EIO;
    return -1;
  }
  int is_last = is_last_call();
  int choice = is_last ? (int)((unsigned long)offset / 512 + parts[0].iov_len) % 3 : 0;
  if (is_last && choice == 0) die();
  if (is_last && choice == 1) {
    struct iovec part = {parts[0].iov_base, parts[0].iov_len / 2 & ~511ul};
    if (part.iov_len > 0) {
      syscall(SYS_pwritev, fd, &part, 1, (long)offset, 0L);
      record(POWERCUT_WRITE, 0, file, offset, &part, 1);
    }
    die();
  }
  ssize_t done = moves ? syscall(SYS_writev, fd, parts, count)
                       : syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
  if (done > 0) {
    struct iovec written[IOV_MAX];
    int used = 0;
    size_t left = done;
    for (int i = 0; i < count && left > 0; i++) {
      written[used] = parts[i];
      if (written[used].iov_len > left) written[used].iov_len = left;
      left -= written[used++].iov_len;
    }
    record(POWERCUT_WRITE, is_synced, file, offset, written, used);
  }
  if (is_last) die();
  unlock();
  return done;
}

static int synchronize(int fd) {
  unsigned long file = 0;
  lock();
  int kind = kind_of(fd, &file);
  if (kind != 0 && is_faulty()) {
    if (kind == 1) record(POWERCUT_FAILED_SYNC, 0, file, 0, NULL, 0);
    unlock();
    errno = EIO;
    return -1;
  }
  if (kind != 0) {
    int is_last = is_last_call();
    // Before the sync of a folder always: after it is the same as at the next call.
    if (is_last && (kind != 1 || file % 2)) die();
    record(kind == 1 ? POWERCUT_SYNC : POWERCUT_SYNC_NAMES, 0, file, 0, NULL, 0);
    if (is_last) die();
  }
  unlock();
  return 0;
}

static int resize(int fd, off_t size) {
  unsigned long file;
  lock();
  int result = syscall(SYS_ftruncate, fd, size);
  if (result == 0 && kind_of(fd, &file) == 1) {
    record(POWERCUT_RESIZE, 0, file, size, NULL, 0);
  }
  unlock();
  return result;
}

static int open_named(const char *path, int flags, mode_t mode) {
  lock();
  int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  unsigned long file;
  if (fd >= 0 && (flags & O_ACCMODE) != O_RDONLY && kind_of(fd, &file) == 1) {
    char real[PATH_MAX];
    if (realpath(path, real)) record_text(POWERCUT_NAME, file, name_in_folder(real));
    if (flags & O_TRUNC) record(POWERCUT_RESIZE, 0, file, 0, NULL, 0);
  }
  unlock();
  return fd;
}

int powercut_start(const char *path, const char *trace_path) {
  int made = open(trace_path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int fd = made >= 0 ? made : open(trace_path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return errno;
  folder_length = strlen(path);
  memcpy(folder, path, folder_length + 1);
  DIR *entries = made >= 0 ? opendir(path) : NULL;
  trace = fd;
  lock();
  struct dirent *entry;
  while (entries && (entry = readdir(entries))) {
    char full[PATH_MAX], bytes[1 << 16];
    snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
    struct stat status;
    if (stat(full, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    record_text(POWERCUT_NAME, status.st_ino, entry->d_name);
    int file = syscall(SYS_openat, AT_FDCWD, full, O_RDONLY | O_CLOEXEC, 0);
    ssize_t count;
    for (off_t at = 0; (count = pread(file, bytes, sizeof bytes, at)) > 0; at += count) {
      struct iovec part = {bytes, count};
      record(POWERCUT_WRITE, 1, status.st_ino, at, &part, 1);
    }
    close(file);
  }
  if (made >= 0) record(POWERCUT_SYNC_NAMES, 0, 0, 0, NULL, 0);
  unlock();
  if (entries) closedir(entries);
  return 0;
}

void powercut_stop(void) {
  pthread_mutex_lock(&mutex);
  if (trace >= 0) close(trace);
  trace = -1;
  pthread_mutex_unlock(&mutex);
}

void powercut_mark(const char *text) {
  lock();
  if (trace >= 0) record_text(POWERCUT_MARK, 0, text);
  unlock();
}

void powercut_die_at(long n) { calls_to_live = n; }

void powercut_fail_at(long n) {
  pthread_mutex_lock(&mutex);
  calls_to_fault = n;
  pthread_mutex_unlock(&mutex);
}

// What the C library has under these names is never called by this program.

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  struct iovec part = {(void *)bytes, count};
  return write_at(fd, &part, 1, offset, 0);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
  return pwrite(fd, bytes, count, offset);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return write_at(fd, parts, count, offset, 0);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
  return write_at(fd, parts, count, offset, 0);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  return write_at(fd, parts, count, 0, 1);
}
ssize_t write(int fd, const void *bytes, size_t count) {
  if (trace < 0) return plain_write(fd, bytes, count);
  struct iovec part = {(void *)bytes, count};
  return write_at(fd, &part, 1, 0, 1);
}
int fdatasync(int fd) { return synchronize(fd); }
int fsync(int fd) { return synchronize(fd); }
int ftruncate(int fd, off_t size) { return resize(fd, size); }
int ftruncate64(int fd, off_t size) { return resize(fd, size); }
int posix_fallocate(int fd, off_t offset, off_t length) {
  struct stat status;
  if (fstat(fd, &status) != 0) return errno;
  // What is allocated shows as a size only.
  if (offset + length > status.st_size && resize(fd, offset + length) != 0) return errno;
  return 0;
}
int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return open_named(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return open_named(path, flags, mode);
}
int rename(const char *old, const char *new) {
  lock();
  int result = syscall(SYS_rename, old, new);
  const char *from = name_in_folder(old), *to = name_in_folder(new);
  if (trace >= 0 && result == 0 && from && to) {
    struct iovec parts[2] = {{(void *)from, strlen(from) + 1}, {(void *)to, strlen(to)}};
    record(POWERCUT_RENAME, 0, 0, 0, parts, 2);
  }
  unlock();
  return result;
}
int link(const char *old, const char *new) {
  lock();
  int result = syscall(SYS_link, old, new);
  const char *to = name_in_folder(new);
  struct stat status;
  if (trace >= 0 && result == 0 && to && stat(new, &status) == 0) {
    record_text(POWERCUT_NAME, status.st_ino, to);
  }
  unlock();
  return result;
}
int unlink(const char *path) {
  lock();
  int result = syscall(SYS_unlink, path);
  const char *name = name_in_folder(path);
  if (trace >= 0 && result == 0 && name) record_text(POWERCUT_REMOVE, 0, name);
  unlock();
  return result;
}
#endif
