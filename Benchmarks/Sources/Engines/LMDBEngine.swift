import CPeerLMDB
import Foundation
package import Harness

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The ceiling: raw liblmdb in C.
///
/// Each verb is one call into C.
package final class LMDBEngine: Engine {
  package static let name = "lmdb"

  /// Reserved address space, not memory: far more than any size the command accepts needs.
  private static let mapBytes = 16 << 30

  private let items: [peer_item]
  private let extras: [peer_item]
  /// 16 bytes an item, where the keys are such.
  private let uuids: [UInt8]
  private let pageStarts: [peer_item]
  private let groupCount: Int
  private let ids: [Int64]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var peer: OpaquePointer?
  private var results: UnsafeMutableBufferPointer<peer_item>?

  package static func about() -> About {
    About(
      versions:
        "\(String(cString: peer_version())), peer in C by \(String(cString: peer_compiler()))",
      sync: "default flags: each commit syncs the data, then writes the meta page synchronously")
  }

  package init(_ dataset: Dataset, schema: Schema) {
    items = dataset.items.map(peer_item.init)
    extras = dataset.extras.map(peer_item.init)
    uuids = schema == .uuid ? dataset.uuidBytes : []
    pageStarts = dataset.pageStarts.map(peer_item.init)
    groupCount = dataset.groupCount
    ids = dataset.ids
    shuffledIDs = dataset.shuffledIDs
    self.schema = schema
  }

  deinit {
    if let peer { peer_close(peer) }
    free(results?.baseAddress)
  }

  package func open(at path: String) throws {
    try check(peer_open(&peer, path, peer_schema(schema), LMDBEngine.mapBytes))
  }

  package func close() {
    if let peer { peer_close(peer) }
    peer = nil
  }

  package func insertAll() throws {
    switch schema {
    case .uuid: try check(peer_insert_uuids(opened(peer), items, uuids, items.count))
    case .plain, .indexed: try check(peer_insert(opened(peer), items, items.count))
    }
  }

  package func insertSingly() throws {
    try check(peer_insert_singly(opened(peer), extras, extras.count))
  }

  package func insertAtOnce() throws { try insertSingly() }

  package func toggleEach() throws {
    try check(peer_toggle_each(opened(peer), ids, ids.count))
  }

  package func raiseEach() throws {
    try check(
      peer_raise_each(opened(peer), ids, ids.count, UInt8(Dataset.priorityCount)))
  }

  package func deleteAll() throws {
    try check(peer_delete_all(peer))
  }

  package func deleteAll(priority: Int) throws -> Int {
    try number { try peer_delete_priority(opened(peer), UInt64(priority), &$0) }
  }

  package func deleteEach() throws -> Int {
    try number { try peer_delete_each(opened(peer), ids, ids.count, &$0) }
  }

  package func readEach() throws {
    var out: UnsafeMutablePointer<peer_item>?
    try check(peer_read_each(opened(peer), shuffledIDs, shuffledIDs.count, &out))
    keep(UnsafeMutableBufferPointer(start: out, count: shuffledIDs.count))
  }

  package func scan() throws {
    var out: UnsafeMutablePointer<peer_item>?
    let count = try number { try peer_scan(opened(peer), &out, &$0) }
    keep(UnsafeMutableBufferPointer(start: out, count: count))
  }

  package func readLatestOpen(createdAfter: Double, limit: Int) throws {
    var out: UnsafeMutablePointer<peer_item>?
    let count = try number {
      try peer_latest_open(opened(peer), createdAfter, limit, &out, &$0)
    }
    keep(UnsafeMutableBufferPointer(start: out, count: count))
  }

  package func readGroups() throws {
    var out: UnsafeMutablePointer<peer_item>?
    let count = try number { try peer_read_groups(opened(peer), groupCount, &out, &$0) }
    keep(UnsafeMutableBufferPointer(start: out, count: count))
  }

  package func readPages() throws {
    var out: UnsafeMutablePointer<peer_item>?
    let count = try number {
      try peer_read_pages(
        opened(peer), pageStarts, pageStarts.count, Dataset.pageCount, &out, &$0)
    }
    keep(UnsafeMutableBufferPointer(start: out, count: count))
  }

  package func countGroups() throws -> Int {
    try (0..<groupCount).reduce(0) { try $0 + count(groupId: $1) }
  }

  package func countOpen(createdAfter: Double) throws -> Int {
    try number { try peer_count_open_after(opened(peer), createdAfter, &$0) }
  }

  package func count(priority: Int) throws -> Int {
    try number { try peer_count_priority(opened(peer), UInt64(priority), &$0) }
  }

  package func count(groupId: Int) throws -> Int {
    try number { try peer_count_group(opened(peer), UInt64(groupId), &$0) }
  }

  package func takeResults() -> [Item] {
    let items = results?.map(Item.init) ?? []
    keep(nil)
    return items
  }

  private func keep(_ next: UnsafeMutableBufferPointer<peer_item>?) {
    free(results?.baseAddress)
    results = next
  }

  private func number(_ call: (inout Int) throws -> CInt) throws -> Int {
    var count = 0
    try check(try call(&count))
    return count
  }

  private func check(_ code: CInt) throws {
    guard code == 0 else { throw PeerError(message: String(cString: peer_message(code))) }
  }
}

/// What liblmdb said.
private struct PeerError: Error, CustomStringConvertible {
  let message: String
  var description: String { "lmdb: \(message)" }
}
