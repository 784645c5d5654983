#include "CPeerSQLite.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The statements that are prepared once: those of verbs that run them again and again.
typedef enum {
  BEGIN,
  BEGIN_WRITE,
  COMMIT,
  ROLLBACK,
  INSERT,
  TOGGLE,
  RAISE,
  DELETE_ALL,
  DELETE_PRIORITY,
  DELETE_ONE,
  READ_ONE,
  SCAN,
  COUNT_OPEN,
  LATEST_OPEN,
  READ_GROUP,
  READ_PAGE,
  COUNT_PRIORITY,
  COUNT_GROUP,
  STATEMENTS
} statement;

#define COLUMNS "id, text, priority, isDone, createdAt, groupId"

static const char *const texts[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [INSERT] = "INSERT INTO item (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?)",
    [TOGGLE] = "UPDATE item SET isDone = NOT isDone WHERE id = ?",
    [RAISE] = "UPDATE item SET priority = (priority + 1) % ?2 WHERE id = ?1",
    [DELETE_ALL] = "DELETE FROM item",
    [DELETE_PRIORITY] = "DELETE FROM item WHERE priority = ?",
    [DELETE_ONE] = "DELETE FROM item WHERE id = ?",
    [READ_ONE] = "SELECT " COLUMNS " FROM item WHERE id = ?",
    [SCAN] = "SELECT " COLUMNS " FROM item ORDER BY id",
    [COUNT_OPEN] = "SELECT count(*) FROM item WHERE NOT isDone AND createdAt > ?",
    [LATEST_OPEN] = "SELECT " COLUMNS " FROM item WHERE NOT isDone AND createdAt > ? "
                    "ORDER BY createdAt DESC, id LIMIT ?",
    [READ_GROUP] = "SELECT " COLUMNS " FROM item WHERE groupId = ?",
    [READ_PAGE] = "SELECT " COLUMNS " FROM item WHERE (priority, id) > (?, ?) "
                  "ORDER BY priority, id LIMIT ?",
    [COUNT_PRIORITY] = "SELECT count(*) FROM item WHERE priority = ?",
    [COUNT_GROUP] = "SELECT count(*) FROM item WHERE groupId = ?",
};

struct sqlite_peer {
  sqlite3 *db;
  sqlite3_stmt *prepared[STATEMENTS];
};

// MARK: Statements

static int prepare(sqlite_peer *p, statement which, sqlite3_stmt **out) {
  *out = p->prepared[which];
  if (*out) return SQLITE_OK;
  int rc = sqlite3_prepare_v3(
      p->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT, &p->prepared[which], NULL);
  *out = p->prepared[which];
  return rc;
}

// Runs a statement that gives no rows, and makes it ready for the next run.
static int run(sqlite3_stmt *prepared) {
  int rc = sqlite3_step(prepared);
  sqlite3_reset(prepared);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int run_plain(sqlite_peer *p, statement which) {
  sqlite3_stmt *prepared;
  int rc = prepare(p, which, &prepared);
  return rc ? rc : run(prepared);
}

static int finish(sqlite_peer *p, int rc) {
  if (!rc) rc = run_plain(p, COMMIT);
  if (rc) run_plain(p, ROLLBACK);
  return rc;
}

// MARK: Opening

static int open_table(sqlite_peer *p, peer_schema schema) {
  const char *table = schema == PEER_UUID
                          ? "CREATE TABLE IF NOT EXISTS item (id BLOB PRIMARY KEY NOT NULL, "
                          : "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, ";
  char *sql = sqlite3_mprintf(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN; "
      "%stext TEXT NOT NULL, priority INTEGER NOT NULL, isDone BOOLEAN NOT NULL, "
      "createdAt DOUBLE NOT NULL, groupId INTEGER NOT NULL); %s COMMIT",
      table,
      schema == PEER_PLAIN ? ""
                           : "CREATE INDEX IF NOT EXISTS item_priority ON item (priority); "
                             "CREATE INDEX IF NOT EXISTS item_groupId ON item (groupId); ");
  if (!sql) return SQLITE_NOMEM;
  int rc = sqlite3_exec(p->db, sql, NULL, NULL, NULL);
  sqlite3_free(sql);
  return rc;
}

// SQLite says nothing when it keeps another mode: then figures would be of another durability.
static int check_pragma(sqlite_peer *p, const char *sql, const char *expected) {
  sqlite3_stmt *prepared;
  int rc = sqlite3_prepare_v2(p->db, sql, -1, &prepared, NULL);
  if (rc) return rc;
  if (sqlite3_step(prepared) != SQLITE_ROW ||
      strcmp((const char *)sqlite3_column_text(prepared, 0), expected) != 0)
    rc = SQLITE_MISUSE;
  sqlite3_finalize(prepared);
  return rc;
}

int sqlite_peer_open(sqlite_peer **out, const char *path, peer_schema schema) {
  sqlite_peer *p = calloc(1, sizeof *p);
  if (!p) return SQLITE_NOMEM;
  // One thread, as the others: SQLite then takes no locks of its own.
  int rc = sqlite3_open_v2(
      path, &p->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
  if (!rc) rc = open_table(p, schema);
  if (!rc) rc = check_pragma(p, "PRAGMA journal_mode", "wal");
  if (!rc) rc = check_pragma(p, "PRAGMA synchronous", "2");
  if (rc) {
    sqlite_peer_close(p);
    return rc;
  }
  *out = p;
  return SQLITE_OK;
}

void sqlite_peer_close(sqlite_peer *p) {
  for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(p->prepared[i]);
  sqlite3_close(p->db);
  free(p);
}

// MARK: Writing

static int insert_rows(
    sqlite_peer *p, const peer_item *items, const uint8_t *uuids, size_t count) {
  sqlite3_stmt *insert;
  int rc = prepare(p, INSERT, &insert);
  for (size_t i = 0; !rc && i < count; i++) {
    const peer_item *item = &items[i];
    if (uuids)
      sqlite3_bind_blob(insert, 1, uuids + i * PEER_UUID_BYTES, PEER_UUID_BYTES, SQLITE_STATIC);
    else
      sqlite3_bind_int64(insert, 1, item->id);
    sqlite3_bind_text(insert, 2, item->text, PEER_TEXT_BYTES, SQLITE_STATIC);
    sqlite3_bind_int(insert, 3, item->priority);
    sqlite3_bind_int(insert, 4, item->is_done);
    sqlite3_bind_double(insert, 5, item->created_at);
    sqlite3_bind_int64(insert, 6, item->group_id);
    rc = run(insert);
  }
  return rc;
}

int sqlite_peer_insert(
    sqlite_peer *p, const peer_item *items, const uint8_t *uuids, size_t count) {
  int rc = run_plain(p, BEGIN_WRITE);
  return rc ? rc : finish(p, insert_rows(p, items, uuids, count));
}

int sqlite_peer_insert_singly(sqlite_peer *p, const peer_item *items, size_t count) {
  int rc = SQLITE_OK;
  for (size_t i = 0; !rc && i < count; i++) rc = sqlite_peer_insert(p, &items[i], NULL, 1);
  return rc;
}

// Runs one statement for each id, and adds up the rows that it changed.
static int change_each(
    sqlite_peer *p, statement which, const int64_t *ids, size_t count, int parameter,
    size_t *changed) {
  sqlite3_stmt *change;
  int rc = run_plain(p, BEGIN_WRITE);
  if (rc) return rc;
  rc = prepare(p, which, &change);
  for (size_t i = 0; !rc && i < count; i++) {
    sqlite3_bind_int64(change, 1, ids[i]);
    if (parameter) sqlite3_bind_int(change, 2, parameter);
    rc = run(change);
    if (!rc && changed) *changed += (size_t)sqlite3_changes(p->db);
  }
  return finish(p, rc);
}

int sqlite_peer_toggle_each(sqlite_peer *p, const int64_t *ids, size_t count) {
  return change_each(p, TOGGLE, ids, count, 0, NULL);
}

int sqlite_peer_raise_each(sqlite_peer *p, const int64_t *ids, size_t count, int priorities) {
  return change_each(p, RAISE, ids, count, priorities, NULL);
}

int sqlite_peer_delete_each(
    sqlite_peer *p, const int64_t *ids, size_t count, size_t *deleted) {
  *deleted = 0;
  return change_each(p, DELETE_ONE, ids, count, 0, deleted);
}

// Outside a transaction a statement is one.
int sqlite_peer_delete_all(sqlite_peer *p) { return run_plain(p, DELETE_ALL); }

int sqlite_peer_delete_priority(sqlite_peer *p, int64_t priority, size_t *deleted) {
  sqlite3_stmt *delete;
  int rc = prepare(p, DELETE_PRIORITY, &delete);
  if (rc) return rc;
  sqlite3_bind_int64(delete, 1, priority);
  rc = run(delete);
  *deleted = rc ? 0 : (size_t)sqlite3_changes(p->db);
  return rc;
}

// MARK: Reading

typedef struct {
  peer_item *items;
  size_t count, capacity;
} item_array;

static int add_row(sqlite3_stmt *row, item_array *array) {
  if (array->count == array->capacity) {
    size_t larger = array->capacity ? array->capacity * 2 : 64;
    peer_item *grown = realloc(array->items, larger * sizeof *grown);
    if (!grown) return SQLITE_NOMEM;
    array->items = grown;
    array->capacity = larger;
  }
  peer_item *item = &array->items[array->count++];
  if (sqlite3_column_type(row, 0) == SQLITE_BLOB) {
    const uint8_t *bytes = sqlite3_column_blob(row, 0);
    uint64_t id = 0;
    for (size_t i = PEER_UUID_BYTES / 2; i < PEER_UUID_BYTES; i++) id = id << 8 | bytes[i];
    item->id = (int64_t)id;
  } else {
    item->id = sqlite3_column_int64(row, 0);
  }
  memcpy(item->text, sqlite3_column_text(row, 1), PEER_TEXT_BYTES);
  item->priority = (uint8_t)sqlite3_column_int(row, 2);
  item->is_done = sqlite3_column_int(row, 3) != 0;
  item->created_at = sqlite3_column_double(row, 4);
  item->group_id = sqlite3_column_int64(row, 5);
  return SQLITE_OK;
}

// Adds all rows of a query whose parameters are bound.
static int add_rows(sqlite3_stmt *query, item_array *array) {
  int rc;
  while ((rc = sqlite3_step(query)) == SQLITE_ROW) {
    rc = add_row(query, array);
    if (rc) break;
  }
  sqlite3_reset(query);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int give(int rc, item_array array, peer_item **out, size_t *count) {
  if (rc) {
    free(array.items);
    return rc;
  }
  *out = array.items;
  *count = array.count;
  return SQLITE_OK;
}

int sqlite_peer_read_each(
    sqlite_peer *p, const int64_t *ids, size_t count, peer_item **out, size_t *found) {
  item_array array = {0};
  sqlite3_stmt *read;
  int rc = run_plain(p, BEGIN);
  if (rc) return rc;
  rc = prepare(p, READ_ONE, &read);
  for (size_t i = 0; !rc && i < count; i++) {
    sqlite3_bind_int64(read, 1, ids[i]);
    rc = add_rows(read, &array);
  }
  return give(finish(p, rc), array, out, found);
}

int sqlite_peer_scan(sqlite_peer *p, peer_item **out, size_t *count) {
  item_array array = {0};
  sqlite3_stmt *scan;
  int rc = prepare(p, SCAN, &scan);
  if (!rc) rc = add_rows(scan, &array);
  return give(rc, array, out, count);
}

int sqlite_peer_latest_open(
    sqlite_peer *p, double created_after, size_t limit, peer_item **out, size_t *count) {
  item_array array = {0};
  sqlite3_stmt *read;
  int rc = prepare(p, LATEST_OPEN, &read);
  if (!rc) {
    sqlite3_bind_double(read, 1, created_after);
    sqlite3_bind_int64(read, 2, (int64_t)limit);
    rc = add_rows(read, &array);
  }
  return give(rc, array, out, count);
}

int sqlite_peer_read_groups(sqlite_peer *p, size_t groups, peer_item **out, size_t *count) {
  item_array array = {0};
  sqlite3_stmt *read;
  int rc = prepare(p, READ_GROUP, &read);
  for (size_t group = 0; !rc && group < groups; group++) {
    sqlite3_bind_int64(read, 1, (int64_t)group);
    rc = add_rows(read, &array);
  }
  return give(rc, array, out, count);
}

int sqlite_peer_read_pages(
    sqlite_peer *p, const peer_item *starts, size_t count, size_t limit, peer_item **out,
    size_t *found) {
  item_array array = {0};
  sqlite3_stmt *read;
  int rc = prepare(p, READ_PAGE, &read);
  for (size_t i = 0; !rc && i < count; i++) {
    sqlite3_bind_int(read, 1, starts[i].priority);
    sqlite3_bind_int64(read, 2, starts[i].id);
    sqlite3_bind_int64(read, 3, (int64_t)limit);
    rc = add_rows(read, &array);
  }
  return give(rc, array, out, found);
}

// The number that a query gives whose parameters are bound.
static int number(sqlite3_stmt *query, size_t *count) {
  int rc = sqlite3_step(query);
  *count = rc == SQLITE_ROW ? (size_t)sqlite3_column_int64(query, 0) : 0;
  sqlite3_reset(query);
  return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

static int count_by(sqlite_peer *p, statement which, int64_t value, size_t *count) {
  sqlite3_stmt *query;
  int rc = prepare(p, which, &query);
  if (rc) return rc;
  sqlite3_bind_int64(query, 1, value);
  return number(query, count);
}

int sqlite_peer_count_open_after(sqlite_peer *p, double created_after, size_t *count) {
  sqlite3_stmt *query;
  int rc = prepare(p, COUNT_OPEN, &query);
  if (rc) return rc;
  sqlite3_bind_double(query, 1, created_after);
  return number(query, count);
}

int sqlite_peer_count_priority(sqlite_peer *p, int64_t priority, size_t *count) {
  return count_by(p, COUNT_PRIORITY, priority, count);
}

int sqlite_peer_count_group(sqlite_peer *p, int64_t group_id, size_t *count) {
  return count_by(p, COUNT_GROUP, group_id, count);
}

// MARK: About

const char *sqlite_peer_message(int code) { return sqlite3_errstr(code); }

const char *sqlite_peer_version(void) { return sqlite3_libversion(); }
