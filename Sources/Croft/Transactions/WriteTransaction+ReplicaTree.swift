import LMDB

/// The trees in which a replica keeps what it knows of the server.
package enum ReplicaTree: String, CaseIterable, Sendable {
  /// For each object that the server has or had: its version and stamps.
  case server
  /// Rows that were received, of a state of the server that is not whole yet.
  case staging
  /// Rows of the server that cannot be objects of this program, and what they displaced.
  case aside
  /// The replica's own record.
  case replica
}

extension WriteTransaction {
  /// The bytes under a key of a tree; nil where there are none.
  package func value(at key: [UInt8], in tree: ReplicaTree) throws -> [UInt8]? {
    try tree.value(at: key, in: base)
  }

  /// Puts bytes under a key of a tree; nil removes them.
  package mutating func setValue(_ value: [UInt8]?, at key: [UInt8], in tree: ReplicaTree) throws {
    hasChanges = true
    let database = try base.openDatabase(named: tree.rawValue)
    guard let value else {
      _ = try unsafe base.delete(key.span.bytes, in: database)
      return
    }
    // Safety: neither array changes during the call.
    _ = try unsafe base.put(value.span.bytes, at: key.span.bytes, in: database)
  }

  /// The first key of a tree from a key on, and its value; nil where there is none.
  package func first(
    from key: [UInt8], in tree: ReplicaTree
  ) throws -> (key: [UInt8], value: [UInt8])? {
    guard let database = try base.database(named: tree.rawValue) else { return nil }
    var first: (key: [UInt8], value: [UInt8])?
    try base.forEachBlock(of: database, in: KeyRange(lower: .inclusive(key))) { block in
      if block.count > 0 { first = (block.key(at: 0).copied(), block.value(at: 0).copied()) }
      return false
    }
    return first
  }

  /// Keys and values of a tree, ascending: all, or some at a time.
  ///
  /// - Parameters:
  ///   - key: The key after which they begin; nil for the first one.
  ///   - limit: The most keys.
  ///   - bytes: The most bytes of values, unless the first one alone has more.
  package func values(
    in tree: ReplicaTree, after key: [UInt8]? = nil, limit: Int = .max, bytes: Int = .max
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    guard let database = try base.database(named: tree.rawValue) else { return [] }
    var values: [(key: [UInt8], value: [UInt8])] = []
    var size = 0
    let range = key.map { KeyRange(lower: .exclusive($0)) } ?? .all
    try base.forEachBlock(of: database, in: range) { block in
      for place in 0..<block.count {
        let value = block.value(at: place).copied()
        size += value.count
        if !values.isEmpty, values.count >= limit || size > bytes { return false }
        values.append((block.key(at: place).copied(), value))
      }
      return true
    }
    return values
  }

  /// Removes all keys of a tree.
  package mutating func removeAll(in tree: ReplicaTree) throws {
    hasChanges = true
    try base.empty(try base.openDatabase(named: tree.rawValue))
  }
}
