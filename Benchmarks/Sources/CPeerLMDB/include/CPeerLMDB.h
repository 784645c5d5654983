// What a good C programmer writes first against liblmdb for the benchmark's objects: the ceiling
// that every other engine is measured against.
//
// Formats. One plain tree and, when indexed, two DUPSORT trees in one file:
//   items       8-byte integer key (the id)        -> packed row of 64 bytes (struct in peer.c)
//   priorities  8-byte integer key (the priority)  -> sorted 8-byte ids
//   groups      8-byte integer key (the group)     -> sorted 8-byte ids
// With UUIDs the key is 16 bytes, compared as bytes, and the indexes hold sorted 16-byte keys.
// Keys are MDB_INTEGERKEY and ids MDB_INTEGERDUP | MDB_DUPFIXED: liblmdb then compares machine
// words, its fastest way. Integers are compared unsigned, so ids must not be negative.
//
// Every function returns 0 or an error number of liblmdb (peer_message explains it). Each writing
// function is one durable transaction: the environment has no NOSYNC flag of any kind.
// Threads: a peer belongs to one thread.
#ifndef CPEERLMDB_H
#define CPEERLMDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of every object's text: ASCII, no terminator.
#define PEER_TEXT_BYTES 40

/// One object as the program holds it in memory.
typedef struct {
  int64_t id;
  double created_at;
  int64_t group_id;
  uint8_t priority;
  bool is_done;
  char text[PEER_TEXT_BYTES];
} peer_item;

typedef struct peer peer;

/// Bytes of a UUID.
#define PEER_UUID_BYTES 16

/// The trees of a file: rows alone, with two indexes, or these under 16-byte keys.
typedef enum { PEER_PLAIN, PEER_INDEXED, PEER_UUID } peer_schema;

/// Opens or creates the file and its trees, which are committed before the call returns.
int peer_open(peer **out, const char *path, peer_schema schema, size_t map_bytes);
void peer_close(peer *p);

/// Inserts `count` items, of which ids ascend and are past every stored one.
int peer_insert(peer *p, const peer_item *items, size_t count);
/// Inserts `count` items under the 16-byte keys that lie one behind another in `uuids`, which come
/// in no order; the last 8 bytes of each are the item's id, big-endian.
int peer_insert_uuids(peer *p, const peer_item *items, const uint8_t *uuids, size_t count);
/// Inserts items as `peer_insert` does, each in a transaction of its own.
int peer_insert_singly(peer *p, const peer_item *items, size_t count);
/// Turns `is_done` round in the items of these ids.
int peer_toggle_each(peer *p, const int64_t *ids, size_t count);
/// Adds 1 to the priority, modulo `priorities`, of the items of these ids, and to their index.
int peer_raise_each(peer *p, const int64_t *ids, size_t count, uint8_t priorities);
/// Empties every tree.
int peer_delete_all(peer *p);
/// Deletes the items of one priority, found through its index.
int peer_delete_priority(peer *p, uint64_t priority, size_t *deleted);
/// Deletes items by id; an unknown id is passed over.
int peer_delete_each(peer *p, const int64_t *ids, size_t count, size_t *deleted);

/// Reads items by id, in one read transaction, into a new array of `count`, which the caller frees.
/// An unknown id is an error.
int peer_read_each(peer *p, const int64_t *ids, size_t count, peer_item **out);
/// Reads every item in id order into a new array, which the caller frees.
int peer_scan(peer *p, peer_item **out, size_t *count);
/// Counts the items that are not done and were created after a time, by looking at each row.
int peer_count_open_after(peer *p, double created_after, size_t *count);
/// Reads the latest `limit` items of those not done and created after a time, latest first and by id
/// where times are equal, into a new array, which the caller frees.
int peer_latest_open(
    peer *p, double created_after, size_t limit, peer_item **out, size_t *count);
/// Reads the items of the groups 0 ..< `groups`, each group by its index in a read transaction of its
/// own, into a new array, which the caller frees.
int peer_read_groups(peer *p, size_t groups, peer_item **out, size_t *count);
/// Reads the `limit` items after each of `count` items, in the order of the priority and the id, each page
/// by the priorities' index in a read transaction of its own, into a new array, which the caller frees.
int peer_read_pages(
    peer *p, const peer_item *starts, size_t count, size_t limit, peer_item **out, size_t *found);
/// Counts one priority's entries in its index.
int peer_count_priority(peer *p, uint64_t priority, size_t *count);
/// Counts one group's entries in its index.
int peer_count_group(peer *p, uint64_t group_id, size_t *count);

/// What an error number means.
const char *peer_message(int code);
/// The version of liblmdb, like "LMDB 0.9.24: (July 24, 2019)".
const char *peer_version(void);
/// The compiler of this file and whether it optimised, like "Clang 17.0.0, optimised".
const char *peer_compiler(void);

#endif
