import CPeerLMDB
import CPeerSQLite
import Foundation
package import Harness

/// SQLite in C, with prepared statements: what GRDB is built on, without Swift.
///
/// Each verb is one call into C.
package final class SQLiteEngine: Engine {
  package static let name = "sqlite"

  private let items: [peer_item]
  private let extras: [peer_item]
  /// 16 bytes an item, where the keys are such.
  private let uuids: [UInt8]?
  private let pageStarts: [peer_item]
  private let groupCount: Int
  private let ids: [Int64]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var peer: OpaquePointer?
  private var results: UnsafeMutableBufferPointer<peer_item>?

  package static func about() -> About {
    About(
      versions: "SQLite \(String(cString: sqlite_peer_version())), peer in C",
      sync: SQLiteStore.sync)
  }

  package init(_ dataset: Dataset, schema: Schema) {
    items = dataset.items.map(peer_item.init)
    extras = dataset.extras.map(peer_item.init)
    uuids = schema == .uuid ? dataset.uuidBytes : nil
    pageStarts = dataset.pageStarts.map(peer_item.init)
    groupCount = dataset.groupCount
    ids = dataset.ids
    shuffledIDs = dataset.shuffledIDs
    self.schema = schema
  }

  deinit {
    if let peer { sqlite_peer_close(peer) }
    free(results?.baseAddress)
  }

  package func open(at path: String) throws {
    try check(sqlite_peer_open(&peer, path, peer_schema(schema)))
  }

  package func close() {
    if let peer { sqlite_peer_close(peer) }
    peer = nil
  }

  package func insertAll() throws {
    try check(sqlite_peer_insert(opened(peer), items, uuids, items.count))
  }

  package func insertSingly() throws {
    try check(sqlite_peer_insert_singly(opened(peer), extras, extras.count))
  }

  package func insertAtOnce() throws { try insertSingly() }

  package func toggleEach() throws {
    try check(sqlite_peer_toggle_each(opened(peer), ids, ids.count))
  }

  package func raiseEach() throws {
    try check(
      sqlite_peer_raise_each(opened(peer), ids, ids.count, CInt(Dataset.priorityCount)))
  }

  package func deleteAll() throws {
    try check(sqlite_peer_delete_all(opened(peer)))
  }

  package func deleteAll(priority: Int) throws -> Int {
    try number { try sqlite_peer_delete_priority(opened(peer), Int64(priority), &$0) }
  }

  package func deleteEach() throws -> Int {
    try number { try sqlite_peer_delete_each(opened(peer), ids, ids.count, &$0) }
  }

  package func readEach() throws {
    try keep { try sqlite_peer_read_each(opened(peer), shuffledIDs, shuffledIDs.count, &$0, &$1) }
  }

  package func scan() throws {
    try keep { try sqlite_peer_scan(opened(peer), &$0, &$1) }
  }

  package func readLatestOpen(createdAfter: Double, limit: Int) throws {
    try keep { try sqlite_peer_latest_open(opened(peer), createdAfter, limit, &$0, &$1) }
  }

  package func readGroups() throws {
    try keep { try sqlite_peer_read_groups(opened(peer), groupCount, &$0, &$1) }
  }

  package func readPages() throws {
    try keep {
      try sqlite_peer_read_pages(
        opened(peer), pageStarts, pageStarts.count, Dataset.pageCount, &$0, &$1)
    }
  }

  package func countGroups() throws -> Int {
    try (0..<groupCount).reduce(0) { try $0 + count(groupId: $1) }
  }

  package func countOpen(createdAfter: Double) throws -> Int {
    try number { try sqlite_peer_count_open_after(opened(peer), createdAfter, &$0) }
  }

  package func count(priority: Int) throws -> Int {
    try number { try sqlite_peer_count_priority(opened(peer), Int64(priority), &$0) }
  }

  package func count(groupId: Int) throws -> Int {
    try number { try sqlite_peer_count_group(opened(peer), Int64(groupId), &$0) }
  }

  package func takeResults() -> [Item] {
    defer {
      free(results?.baseAddress)
      results = nil
    }
    return results?.map(Item.init) ?? []
  }

  private func keep(
    _ call: (inout UnsafeMutablePointer<peer_item>?, inout Int) throws -> CInt
  ) throws {
    var found: UnsafeMutablePointer<peer_item>?
    let count = try number { try call(&found, &$0) }
    free(results?.baseAddress)
    results = UnsafeMutableBufferPointer(start: found, count: count)
  }

  private func number(_ call: (inout Int) throws -> CInt) throws -> Int {
    var count = 0
    try check(try call(&count))
    return count
  }

  private func check(_ code: CInt) throws {
    guard code == 0 else { throw SQLitePeerError(code) }
  }
}

/// What SQLite said.
private struct SQLitePeerError: Error, CustomStringConvertible {
  let description: String

  init(_ code: CInt) { description = "sqlite: \(String(cString: sqlite_peer_message(code)))" }
}
