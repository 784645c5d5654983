import LMDB

/// The tree of what a store has changed and the server has not acknowledged, an entry for each object.
///
/// A key is the model's number (u32, big-endian) and the object's K1(primary key). A value is an
/// ``OutboxEntry``, and the checksum of key and entry.
struct Outbox: Sendable {
  static let treeName = "outbox"

  let tree: Database

  /// The outbox of a file; nil where the file has none.
  init?(in transaction: borrowing some Transaction & ~Copyable) throws {
    guard let tree = try transaction.database(named: Self.treeName) else { return nil }
    self.tree = tree
  }

  /// The outbox of a file, created where the file has none.
  init(creatingIn transaction: inout LMDB.WriteTransaction) throws {
    tree = try transaction.openDatabase(named: Self.treeName)
  }

  static func key(_ model: Int, _ key: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: model))
    return bytes + key
  }

  /// The model and the object's key of an entry's key; nil for other bytes.
  static func parts(of key: [UInt8]) -> (model: Int, key: ArraySlice<UInt8>)? {
    var reader = ByteReader(key[...])
    guard let model: UInt32 = reader.integer() else { return nil }
    return (Int(model), reader.rest)
  }
}

// MARK: - Entries

extension Outbox {
  func entry(
    _ key: [UInt8], in transaction: borrowing some Transaction & ~Copyable
  ) throws -> OutboxEntry? {
    guard let bytes = try unsafe transaction.get(key.span.bytes, in: tree)?.copied() else {
      return nil
    }
    return try Self.entry(key, bytes)
  }

  private static func entry(_ key: [UInt8], _ bytes: [UInt8]) throws -> OutboxEntry {
    guard let body = Checksum.value(of: bytes, under: key), let entry = OutboxEntry(body[...])
    else {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "the outbox has an entry under \(key) that cannot be read")
    }
    return entry
  }

  /// Puts an entry in the place of an object's, or removes that one.
  func set(
    _ entry: OutboxEntry?, at key: [UInt8], _ transaction: inout LMDB.WriteTransaction
  ) throws {
    guard let entry else {
      _ = try unsafe transaction.delete(key.span.bytes, in: tree)
      return
    }
    let value = Checksum.appended(to: entry.bytes, under: key)
    // Safety: neither array changes during the call.
    _ = try unsafe transaction.put(value.span.bytes, at: key.span.bytes, in: tree)
  }

  /// Puts an entry of an object that has none.
  ///
  /// - Parameter entry: The entry's bytes, with room for a checksum after them, which is overwritten.
  /// - Returns: Whether the object had none.
  func insert(
    _ entry: inout [UInt8], at key: UnsafeRawBufferPointer,
    _ transaction: inout LMDB.WriteTransaction
  ) throws -> Bool {
    // Safety: neither the key nor the entry changes during the calls.
    let sum = unsafe entry.withUnsafeBytes { bytes in
      unsafe Checksum.of(key, UnsafeRawBufferPointer(rebasing: bytes.dropLast(Checksum.size)))
    }
    for place in 0..<Checksum.size {
      entry[entry.count - Checksum.size + place] = UInt8(truncatingIfNeeded: sum >> (8 * place))
    }
    return try unsafe transaction.put(
      entry.span.bytes, at: RawSpan(_unsafeBytes: key), in: tree, mode: .insert)
  }

  /// Puts an insertion of each object of a table, of which the outbox has none.
  func insertAll(
    of table: Table, at stamp: Stamp, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    var insertion = OutboxEntry(.insertion, at: stamp).bytes + Checksum.bytes([], [])
    var keys: [[UInt8]] = []
    var range = KeyRange.all
    repeat {
      keys.removeAll(keepingCapacity: true)
      // Nothing can be written while a block is read.
      try transaction.forEachBlock(of: table.rows, in: range) { block in
        for place in 0..<block.count { keys.append(block.key(at: place).copied()) }
        return false
      }
      for key in keys {
        let key = Self.key(table.id, key)
        // Safety: the key does not change during the call.
        _ = try unsafe key.withUnsafeBytes {
          try unsafe insert(&insertion, at: $0, &transaction)
        }
      }
      if let last = keys.last { range = KeyRange(lower: .exclusive(last)) }
    } while !keys.isEmpty
  }

  /// Passes the entries of a range, ascending by key, until the closure returns false.
  ///
  /// - Throws: What the closure throws; ``StoreError/corrupt(model:key:reason:)`` for an entry that
  ///   cannot be read.
  func forEach(
    in transaction: borrowing some Transaction & ~Copyable, _ range: KeyRange = .all,
    _ body: (_ key: [UInt8], OutboxEntry) throws -> Bool
  ) throws {
    try transaction.forEachBlock(of: tree, in: range) { block in
      for place in 0..<block.count {
        let key = block.key(at: place).copied()
        guard try body(key, Self.entry(key, block.value(at: place).copied())) else { return false }
      }
      return true
    }
  }

  func count(in transaction: borrowing some Transaction & ~Copyable) throws -> Int {
    try transaction.count(of: tree)
  }

  /// Checks that each entry can be read, and that its object is there unless it was deleted.
  func verify(
    _ tables: [Table], in transaction: borrowing some Transaction & ~Copyable,
    _ result: inout Verification
  ) throws {
    let tables = Dictionary(tables.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    try forEach(in: transaction) { key, entry in
      // Where the process has no room for the trees of all models, some have no tables.
      guard let (model, object) = Self.parts(of: key), let table = tables[model] else {
        return true
      }
      let row = Array(object)
      let isThere = try unsafe transaction.get(row.span.bytes, in: table.rows) != nil
      if isThere == (entry.kind == .deletion) {
        let state = isThere ? "there" : "missing"
        result.report(
          "the outbox has the \(entry.kind) of \(table.schema.name) \(row), which is \(state)")
      }
      return true
    }
  }
}
