// What a good C programmer writes first against SQLite for the benchmark's objects: one prepared
// statement a verb, columns by position, results in C structs. What GRDB adds to it, Swift adds.
//
// The file is in WAL mode with synchronous=FULL: each commit syncs the log. One table, and with
// indexes one on the priority and one on the group. With UUIDs the key is a blob of 16 bytes.
//
// Every function returns SQLITE_OK or an error number of SQLite (sqlite_peer_message explains it). Each
// writing function is one durable transaction.
// Threads: a peer belongs to one thread.
#ifndef CPEERSQLITE_H
#define CPEERSQLITE_H

#include <CPeerLMDB.h>

typedef struct sqlite_peer sqlite_peer;

/// Opens or creates the file with its table and indexes, which are committed before the call returns.
int sqlite_peer_open(sqlite_peer **out, const char *path, peer_schema schema);
/// Closes the file; SQLite then brings the log into it.
void sqlite_peer_close(sqlite_peer *p);

/// Inserts `count` items; `uuids` is NULL, or has the 16-byte keys one after another, of which the last 8
/// bytes are the item's id, big-endian.
int sqlite_peer_insert(
    sqlite_peer *p, const peer_item *items, const uint8_t *uuids, size_t count);
/// Inserts items, each in a transaction of its own.
int sqlite_peer_insert_singly(sqlite_peer *p, const peer_item *items, size_t count);
/// Turns `is_done` round in the items of these ids.
int sqlite_peer_toggle_each(sqlite_peer *p, const int64_t *ids, size_t count);
/// Adds 1 to the priority, modulo `priorities`, of the items of these ids.
int sqlite_peer_raise_each(sqlite_peer *p, const int64_t *ids, size_t count, int priorities);
/// Empties the table.
int sqlite_peer_delete_all(sqlite_peer *p);
/// Deletes the items of one priority.
int sqlite_peer_delete_priority(sqlite_peer *p, int64_t priority, size_t *deleted);
/// Deletes items by id; an unknown id is passed over.
int sqlite_peer_delete_each(
    sqlite_peer *p, const int64_t *ids, size_t count, size_t *deleted);

/// Reads items by id, in one read transaction, into a new array, which the caller frees.
int sqlite_peer_read_each(
    sqlite_peer *p, const int64_t *ids, size_t count, peer_item **out, size_t *found);
/// Reads every item in the order of the keys into a new array, which the caller frees.
int sqlite_peer_scan(sqlite_peer *p, peer_item **out, size_t *count);
/// Counts the items that are not done and were created after a time.
int sqlite_peer_count_open_after(sqlite_peer *p, double created_after, size_t *count);
/// Reads the latest `limit` items of those not done and created after a time, latest first and by id
/// where times are equal, into a new array, which the caller frees.
int sqlite_peer_latest_open(
    sqlite_peer *p, double created_after, size_t limit, peer_item **out, size_t *count);
/// Reads the items of the groups 0 ..< `groups`, a query each, into a new array, which the caller frees.
int sqlite_peer_read_groups(sqlite_peer *p, size_t groups, peer_item **out, size_t *count);
/// Reads the `limit` items after each of `count` items, in the order of the priority and the id, a query
/// each, into a new array, which the caller frees.
int sqlite_peer_read_pages(
    sqlite_peer *p, const peer_item *starts, size_t count, size_t limit, peer_item **out,
    size_t *found);
/// Counts the items of one priority.
int sqlite_peer_count_priority(sqlite_peer *p, int64_t priority, size_t *count);
/// Counts the items of one group.
int sqlite_peer_count_group(sqlite_peer *p, int64_t group_id, size_t *count);

/// What an error number means.
const char *sqlite_peer_message(int code);
/// The version of the library, like "3.40.1".
const char *sqlite_peer_version(void);

#endif
