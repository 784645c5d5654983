// Records what a process does to the files of a folder, so that a simulated power cut can be made
// of it afterwards. See README.md in the folder above.
#ifndef CPOWERCUT_H
#define CPOWERCUT_H

/// What a record of the trace says; each begins with a `powercut_record`.
enum powercut_kind {
  /// Bytes were written at an offset; they follow.
  POWERCUT_WRITE = 1,
  /// The bytes of a file are on the disk, all that were written until then.
  POWERCUT_SYNC = 2,
  /// A file got the size that stands in `offset`.
  POWERCUT_RESIZE = 3,
  /// A name, which follows, leads to a file.
  POWERCUT_NAME = 4,
  /// A file changed its name; the old one and the new one follow, with a zero byte between them.
  POWERCUT_RENAME = 5,
  /// A name, which follows, is gone.
  POWERCUT_REMOVE = 6,
  /// The names of the folder are on the disk, all that were given until then.
  POWERCUT_SYNC_NAMES = 7,
  /// The program says something, in the bytes that follow.
  POWERCUT_MARK = 8,
  /// A sync of a file failed: what it was to write may be on the disk, and no later sync writes it.
  POWERCUT_FAILED_SYNC = 9,
};

/// What each record begins with; `length` bytes follow, and zeros up to a multiple of 8.
struct powercut_record {
  unsigned int kind;
  /// 1 when a write is on the disk as soon as it returns (O_DSYNC), 0 otherwise.
  unsigned int is_synced;
  /// The number of the file: its inode.
  unsigned long file;
  unsigned long offset;
  unsigned long length;
};

/// Begins to record what is done to the files of a folder, given without links.
///
/// The trace is made and begins with what the folder holds, as if that were on the disk; when there
/// is one already, this process adds to it.
/// Returns 0, or the system's code.
int powercut_start(const char *folder, const char *trace);

/// Ends recording.
void powercut_stop(void);

/// Says something in the trace.
void powercut_mark(const char *text);

/// Has this process kill itself at its nth write or sync from now on: before it, in the middle of a
/// write, or after it.
void powercut_die_at(long n);

/// Has the nth write or sync of this process from now on fail with EIO: nothing or a half of a write is made. With 0
/// none fails.
void powercut_fail_at(long n);

#endif
