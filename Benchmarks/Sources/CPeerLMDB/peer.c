#include "CPeerLMDB.h"

#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

// 64 bytes as they lie in the file; the id is the key. The widest fields come first so that there
// is no padding in between.
typedef struct {
  double created_at;
  int64_t group_id;
  uint8_t priority;
  uint8_t is_done;
  uint8_t unused[6];
  char text[PEER_TEXT_BYTES];
} row;

_Static_assert(sizeof(row) == 64, "rows are packed into 64 bytes");

struct peer {
  MDB_env *env;
  MDB_dbi items, priorities, groups;
  peer_schema schema;
};

static MDB_val value_of(void *bytes, size_t count) {
  return (MDB_val){.mv_size = count, .mv_data = bytes};
}

static bool is_indexed(const peer *p) { return p->schema != PEER_PLAIN; }

// MARK: Opening

static int open_trees(peer *p) {
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, 0, &txn);
  if (rc) return rc;
  unsigned rows = MDB_CREATE | (p->schema == PEER_UUID ? 0 : MDB_INTEGERKEY);
  unsigned index = MDB_CREATE | MDB_INTEGERKEY | MDB_DUPSORT | MDB_DUPFIXED |
                   (p->schema == PEER_UUID ? 0 : MDB_INTEGERDUP);
  rc = mdb_dbi_open(txn, "items", rows, &p->items);
  if (!rc && is_indexed(p)) rc = mdb_dbi_open(txn, "priorities", index, &p->priorities);
  if (!rc && is_indexed(p)) rc = mdb_dbi_open(txn, "groups", index, &p->groups);
  if (!rc) return mdb_txn_commit(txn);
  mdb_txn_abort(txn);
  return rc;
}

int peer_open(peer **out, const char *path, peer_schema schema, size_t map_bytes) {
  peer *p = calloc(1, sizeof *p);
  if (!p) return ENOMEM;
  p->schema = schema;
  int rc = mdb_env_create(&p->env);
  if (!rc) rc = mdb_env_set_mapsize(p->env, map_bytes);
  if (!rc) rc = mdb_env_set_maxdbs(p->env, 3);
  if (!rc) rc = mdb_env_open(p->env, path, MDB_NOSUBDIR, 0600);
  if (!rc) rc = open_trees(p);
  if (rc) {
    peer_close(p);
    return rc;
  }
  *out = p;
  return 0;
}

void peer_close(peer *p) {
  if (p->env) mdb_env_close(p->env);
  free(p);
}

// MARK: Writing

// Rows append. An index key's ids ascend too, so each appends to its key's own run.
// With `uuids`, neither holds: rows and entries are put where they belong.
static int insert_rows(
    peer *p, MDB_txn *txn, const peer_item *items, const uint8_t *uuids, size_t count,
    bool ascending) {
  MDB_cursor *rows, *priorities = NULL, *groups = NULL;
  unsigned row_flags = ascending ? MDB_APPEND : MDB_NOOVERWRITE;
  unsigned entry_flags = ascending ? MDB_APPENDDUP : 0;
  int rc = mdb_cursor_open(txn, p->items, &rows);
  if (!rc && is_indexed(p)) rc = mdb_cursor_open(txn, p->priorities, &priorities);
  if (!rc && is_indexed(p)) rc = mdb_cursor_open(txn, p->groups, &groups);
  for (size_t i = 0; !rc && i < count; i++) {
    const peer_item *item = &items[i];
    uint64_t id = (uint64_t)item->id;
    row packed = {.created_at = item->created_at,
                  .group_id = item->group_id,
                  .priority = item->priority,
                  .is_done = item->is_done};
    memcpy(packed.text, item->text, PEER_TEXT_BYTES);
    MDB_val primary = uuids ? value_of((void *)(uuids + i * PEER_UUID_BYTES), PEER_UUID_BYTES)
                            : value_of(&id, sizeof id);
    MDB_val key = primary, value = value_of(&packed, sizeof packed);
    rc = mdb_cursor_put(rows, &key, &value, row_flags);
    if (rc || !is_indexed(p)) continue;

    uint64_t column = item->priority;
    key = value_of(&column, sizeof column);
    value = primary;
    rc = mdb_cursor_put(priorities, &key, &value, entry_flags);
    if (rc) continue;
    column = (uint64_t)item->group_id;
    key = value_of(&column, sizeof column);
    value = primary;
    rc = mdb_cursor_put(groups, &key, &value, entry_flags);
  }
  return rc;
}

// Cursors of a write transaction end with it.
static int finish(MDB_txn *txn, int rc) {
  if (!rc) return mdb_txn_commit(txn);
  mdb_txn_abort(txn);
  return rc;
}

static int insert(
    peer *p, const peer_item *items, const uint8_t *uuids, size_t count, bool ascending) {
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, 0, &txn);
  if (rc) return rc;
  return finish(txn, insert_rows(p, txn, items, uuids, count, ascending));
}

int peer_insert(peer *p, const peer_item *items, size_t count) {
  return insert(p, items, NULL, count, true);
}

int peer_insert_uuids(peer *p, const peer_item *items, const uint8_t *uuids, size_t count) {
  return insert(p, items, uuids, count, false);
}

int peer_insert_singly(peer *p, const peer_item *items, size_t count) {
  int rc = 0;
  for (size_t i = 0; !rc && i < count; i++) rc = insert(p, &items[i], NULL, 1, true);
  return rc;
}

int peer_delete_all(peer *p) {
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, 0, &txn);
  if (rc) return rc;
  rc = mdb_drop(txn, p->items, 0);
  if (!rc && is_indexed(p)) rc = mdb_drop(txn, p->priorities, 0);
  if (!rc && is_indexed(p)) rc = mdb_drop(txn, p->groups, 0);
  return finish(txn, rc);
}

static int delete_entry(MDB_txn *txn, MDB_dbi index, uint64_t column, uint64_t id) {
  MDB_val key = value_of(&column, sizeof column), value = value_of(&id, sizeof id);
  return mdb_del(txn, index, &key, &value);
}

// Deletes the row under the cursor and its index entries. Only plain trees are deleted from through
// a cursor: liblmdb 0.9.24 has defects with cursor deletes in DUPSORT trees.
static int delete_row(peer *p, MDB_txn *txn, MDB_cursor *rows, uint64_t id, const MDB_val *value) {
  if (is_indexed(p)) {
    row packed;
    memcpy(&packed, value->mv_data, offsetof(row, unused));
    int rc = delete_entry(txn, p->priorities, packed.priority, id);
    if (!rc) rc = delete_entry(txn, p->groups, (uint64_t)packed.group_id, id);
    if (rc) return rc;
  }
  return mdb_cursor_del(rows, 0);
}

static int delete_rows(
    peer *p, MDB_txn *txn, const int64_t *ids, size_t count, size_t *deleted) {
  MDB_cursor *rows;
  int rc = mdb_cursor_open(txn, p->items, &rows);
  for (size_t i = 0; !rc && i < count; i++) {
    uint64_t id = (uint64_t)ids[i];
    MDB_val key = value_of(&id, sizeof id), value;
    rc = mdb_cursor_get(rows, &key, &value, MDB_SET);
    if (rc == MDB_NOTFOUND) {
      rc = 0;
      continue;
    }
    if (!rc) rc = delete_row(p, txn, rows, id, &value);
    if (!rc) *deleted += 1;
  }
  return rc;
}

int peer_delete_each(peer *p, const int64_t *ids, size_t count, size_t *deleted) {
  *deleted = 0;
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, 0, &txn);
  if (rc) return rc;
  return finish(txn, delete_rows(p, txn, ids, count, deleted));
}

// The ids of one priority, a page of the index at a time, in a new array.
static int ids_of_priority(
    peer *p, MDB_txn *txn, uint64_t priority, int64_t **ids, size_t *count) {
  MDB_cursor *cursor;
  int rc = mdb_cursor_open(txn, p->priorities, &cursor);
  if (rc) return rc;
  MDB_val key = value_of(&priority, sizeof priority), page;
  rc = mdb_cursor_get(cursor, &key, &page, MDB_SET_KEY);
  size_t total = 0;
  if (!rc) rc = mdb_cursor_count(cursor, &total);
  if (!rc && !(*ids = malloc(total * sizeof **ids))) rc = ENOMEM;
  if (!rc) rc = mdb_cursor_get(cursor, &key, &page, MDB_GET_MULTIPLE);
  while (!rc) {
    memcpy(*ids + *count, page.mv_data, page.mv_size);
    *count += page.mv_size / sizeof **ids;
    rc = mdb_cursor_get(cursor, &key, &page, MDB_NEXT_MULTIPLE);
  }
  mdb_cursor_close(cursor);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

// One path for every predicate: ids from an index, then row by row. (That this index could drop
// the whole key at once holds for this one predicate only.)
int peer_delete_priority(peer *p, uint64_t priority, size_t *deleted) {
  *deleted = 0;
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, 0, &txn);
  if (rc) return rc;
  int64_t *ids = NULL;
  size_t count = 0;
  rc = ids_of_priority(p, txn, priority, &ids, &count);
  if (!rc) rc = delete_rows(p, txn, ids, count, deleted);
  free(ids);
  return finish(txn, rc);
}

// Lends each row of these ids to `change`, and writes it back in its place.
static int change_each(
    peer *p, const int64_t *ids, size_t count,
    int (*change)(peer *p, MDB_txn *txn, uint64_t id, row *packed, uint8_t priorities),
    uint8_t priorities) {
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, 0, &txn);
  if (rc) return rc;
  MDB_cursor *rows;
  rc = mdb_cursor_open(txn, p->items, &rows);
  for (size_t i = 0; !rc && i < count; i++) {
    uint64_t id = (uint64_t)ids[i];
    MDB_val key = value_of(&id, sizeof id), value;
    rc = mdb_cursor_get(rows, &key, &value, MDB_SET);
    if (rc) continue;
    row packed;
    memcpy(&packed, value.mv_data, sizeof packed);
    rc = change(p, txn, id, &packed, priorities);
    value = value_of(&packed, sizeof packed);
    if (!rc) rc = mdb_cursor_put(rows, &key, &value, MDB_CURRENT);
  }
  return finish(txn, rc);
}

static int toggle(peer *p, MDB_txn *txn, uint64_t id, row *packed, uint8_t priorities) {
  (void)p, (void)txn, (void)id, (void)priorities;
  packed->is_done = !packed->is_done;
  return 0;
}

static int raise_priority(peer *p, MDB_txn *txn, uint64_t id, row *packed, uint8_t priorities) {
  int rc = delete_entry(txn, p->priorities, packed->priority, id);
  packed->priority = (uint8_t)((packed->priority + 1) % priorities);
  uint64_t column = packed->priority;
  MDB_val key = value_of(&column, sizeof column), value = value_of(&id, sizeof id);
  return rc ? rc : mdb_put(txn, p->priorities, &key, &value, 0);
}

int peer_toggle_each(peer *p, const int64_t *ids, size_t count) {
  return change_each(p, ids, count, toggle, 0);
}

int peer_raise_each(peer *p, const int64_t *ids, size_t count, uint8_t priorities) {
  return change_each(p, ids, count, raise_priority, priorities);
}

// MARK: Reading

static int64_t id_of(const MDB_val *key) {
  if (key->mv_size == sizeof(int64_t)) {
    int64_t id;
    memcpy(&id, key->mv_data, sizeof id);
    return id;
  }
  uint64_t id = 0;
  const uint8_t *bytes = key->mv_data;
  for (size_t i = PEER_UUID_BYTES / 2; i < PEER_UUID_BYTES; i++) id = id << 8 | bytes[i];
  return (int64_t)id;
}

static void unpack(const MDB_val *key, const MDB_val *value, peer_item *out) {
  row packed;
  memcpy(&packed, value->mv_data, sizeof packed);
  out->id = id_of(key);
  out->created_at = packed.created_at;
  out->group_id = packed.group_id;
  out->priority = packed.priority;
  out->is_done = packed.is_done;
  memcpy(out->text, packed.text, PEER_TEXT_BYTES);
}

int peer_read_each(peer *p, const int64_t *ids, size_t count, peer_item **out) {
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, MDB_RDONLY, &txn);
  if (rc) return rc;
  peer_item *items = malloc((count + 1) * sizeof *items);
  if (!items) rc = ENOMEM;
  for (size_t i = 0; !rc && i < count; i++) {
    uint64_t id = (uint64_t)ids[i];
    MDB_val key = value_of(&id, sizeof id), value;
    rc = mdb_get(txn, p->items, &key, &value);
    if (!rc) unpack(&key, &value, &items[i]);
  }
  mdb_txn_abort(txn);
  if (rc) {
    free(items);
    return rc;
  }
  *out = items;
  return 0;
}

int peer_scan(peer *p, peer_item **out, size_t *count) {
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, MDB_RDONLY, &txn);
  if (rc) return rc;
  MDB_stat stat;
  rc = mdb_stat(txn, p->items, &stat);
  peer_item *items = rc ? NULL : malloc((stat.ms_entries + 1) * sizeof *items);
  if (!rc && !items) rc = ENOMEM;
  MDB_cursor *cursor = NULL;
  if (!rc) rc = mdb_cursor_open(txn, p->items, &cursor);
  size_t found = 0;
  MDB_val key, value;
  while (!rc && !(rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)))
    unpack(&key, &value, &items[found++]);
  if (cursor) mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  if (rc != MDB_NOTFOUND) {
    free(items);
    return rc;
  }
  *out = items;
  *count = found;
  return 0;
}

int peer_count_open_after(peer *p, double created_after, size_t *count) {
  *count = 0;
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, MDB_RDONLY, &txn);
  if (rc) return rc;
  MDB_cursor *cursor = NULL;
  rc = mdb_cursor_open(txn, p->items, &cursor);
  MDB_val key, value;
  while (!rc && !(rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))) {
    row packed;
    memcpy(&packed, value.mv_data, offsetof(row, unused));
    *count += !packed.is_done & (packed.created_at > created_after);
  }
  if (cursor) mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

// A row that may be shown: where it lies, which stays so within a read transaction.
typedef struct {
  double created_at;
  uint64_t id;
  MDB_val value;
} candidate;

static bool comes_before(const candidate *a, const candidate *b) {
  return a->created_at > b->created_at || (a->created_at == b->created_at && a->id < b->id);
}

// Puts a row into the sorted array of the best, of which there are at most `limit`.
static void take(candidate *best, size_t *found, size_t limit, candidate next) {
  if (*found == limit && !comes_before(&next, &best[limit - 1])) return;
  size_t place = *found < limit ? (*found)++ : limit - 1;
  while (place > 0 && comes_before(&next, &best[place - 1])) {
    best[place] = best[place - 1];
    place--;
  }
  best[place] = next;
}

int peer_latest_open(
    peer *p, double created_after, size_t limit, peer_item **out, size_t *count) {
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, MDB_RDONLY, &txn);
  if (rc) return rc;
  candidate *best = malloc((limit + 1) * sizeof *best);
  peer_item *items = malloc((limit + 1) * sizeof *items);
  if (!best || !items) rc = ENOMEM;
  MDB_cursor *cursor = NULL;
  if (!rc) rc = mdb_cursor_open(txn, p->items, &cursor);
  size_t found = 0;
  MDB_val key, value;
  while (!rc && !(rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))) {
    row packed;
    memcpy(&packed, value.mv_data, offsetof(row, unused));
    if (packed.is_done || packed.created_at <= created_after) continue;
    candidate next = {packed.created_at, (uint64_t)id_of(&key), value};
    take(best, &found, limit, next);
  }
  if (cursor) mdb_cursor_close(cursor);
  if (rc == MDB_NOTFOUND) rc = 0;
  for (size_t i = 0; !rc && i < found; i++) {
    key = value_of(&best[i].id, sizeof best[i].id);
    unpack(&key, &best[i].value, &items[i]);
  }
  mdb_txn_abort(txn);
  free(best);
  if (rc) {
    free(items);
    return rc;
  }
  *out = items;
  *count = found;
  return 0;
}

// The items of one group, behind those found so far; the array grows as it must.
static int read_group(
    peer *p, MDB_txn *txn, MDB_cursor *cursor, uint64_t group, peer_item **items,
    size_t *capacity, size_t *found) {
  MDB_val key = value_of(&group, sizeof group), page;
  int rc = mdb_cursor_get(cursor, &key, &page, MDB_SET_KEY);
  if (!rc) rc = mdb_cursor_get(cursor, &key, &page, MDB_GET_MULTIPLE);
  while (!rc) {
    const uint64_t *ids = page.mv_data;
    size_t count = page.mv_size / sizeof *ids;
    if (*found + count > *capacity) {
      size_t larger = (*found + count) * 2;
      peer_item *grown = realloc(*items, larger * sizeof **items);
      if (!grown) return ENOMEM;
      *items = grown;
      *capacity = larger;
    }
    for (size_t i = 0; !rc && i < count; i++) {
      uint64_t id = ids[i];
      MDB_val primary = value_of(&id, sizeof id), value;
      rc = mdb_get(txn, p->items, &primary, &value);
      if (!rc) unpack(&primary, &value, &(*items)[(*found)++]);
    }
    if (!rc) rc = mdb_cursor_get(cursor, &key, &page, MDB_NEXT_MULTIPLE);
  }
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int peer_read_groups(peer *p, size_t groups, peer_item **out, size_t *count) {
  peer_item *items = NULL;
  size_t capacity = 0, found = 0;
  int rc = 0;
  for (uint64_t group = 0; !rc && group < groups; group++) {
    MDB_txn *txn;
    rc = mdb_txn_begin(p->env, NULL, MDB_RDONLY, &txn);
    if (rc) break;
    MDB_cursor *cursor = NULL;
    rc = mdb_cursor_open(txn, p->groups, &cursor);
    if (!rc) rc = read_group(p, txn, cursor, group, &items, &capacity, &found);
    if (cursor) mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
  }
  if (rc) {
    free(items);
    return rc;
  }
  *out = items;
  *count = found;
  return 0;
}

// The items after one, up to a limit, behind those found so far, for which there is room.
static int read_page(
    peer *p, MDB_txn *txn, MDB_cursor *cursor, const peer_item *start, size_t limit, peer_item *items,
    size_t *found) {
  uint64_t priority = start->priority, after = (uint64_t)start->id;
  MDB_val key = value_of(&priority, sizeof priority), id = value_of(&after, sizeof after);
  int rc = mdb_cursor_get(cursor, &key, &id, MDB_GET_BOTH);
  if (!rc) rc = mdb_cursor_get(cursor, &key, &id, MDB_NEXT);
  for (size_t i = 0; !rc && i < limit; i++) {
    uint64_t next;
    memcpy(&next, id.mv_data, sizeof next);
    MDB_val primary = value_of(&next, sizeof next), value;
    rc = mdb_get(txn, p->items, &primary, &value);
    if (!rc) unpack(&primary, &value, &items[(*found)++]);
    if (!rc && i + 1 < limit) rc = mdb_cursor_get(cursor, &key, &id, MDB_NEXT);
  }
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int peer_read_pages(
    peer *p, const peer_item *starts, size_t count, size_t limit, peer_item **out, size_t *found) {
  peer_item *items = malloc((count * limit + 1) * sizeof *items);
  int rc = items ? 0 : ENOMEM;
  *found = 0;
  for (size_t i = 0; !rc && i < count; i++) {
    MDB_txn *txn;
    rc = mdb_txn_begin(p->env, NULL, MDB_RDONLY, &txn);
    if (rc) break;
    MDB_cursor *cursor = NULL;
    rc = mdb_cursor_open(txn, p->priorities, &cursor);
    if (!rc) rc = read_page(p, txn, cursor, &starts[i], limit, items, found);
    if (cursor) mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
  }
  if (rc) {
    free(items);
    return rc;
  }
  *out = items;
  return 0;
}

static int count_entries(peer *p, MDB_dbi index, uint64_t column, size_t *count) {
  *count = 0;
  MDB_txn *txn;
  int rc = mdb_txn_begin(p->env, NULL, MDB_RDONLY, &txn);
  if (rc) return rc;
  MDB_cursor *cursor = NULL;
  rc = mdb_cursor_open(txn, index, &cursor);
  MDB_val key = value_of(&column, sizeof column), value;
  if (!rc) rc = mdb_cursor_get(cursor, &key, &value, MDB_SET);
  if (!rc) rc = mdb_cursor_count(cursor, count);
  if (cursor) mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int peer_count_priority(peer *p, uint64_t priority, size_t *count) {
  return count_entries(p, p->priorities, priority, count);
}

int peer_count_group(peer *p, uint64_t group_id, size_t *count) {
  return count_entries(p, p->groups, group_id, count);
}

// MARK: About

const char *peer_message(int code) { return mdb_strerror(code); }

const char *peer_version(void) { return mdb_version(NULL, NULL, NULL); }

const char *peer_compiler(void) {
#ifdef __OPTIMIZE__
  return __VERSION__ ", optimised";
#else
  return __VERSION__ ", not optimised";
#endif
}
