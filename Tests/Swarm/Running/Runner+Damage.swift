import Croft
import Foundation
import LMDB

// Files that are not as they should be: links to the store, and damaged rows.

extension Runner {
  /// Runs statements in a private copy of the store, which is made by way of a link.
  ///
  /// The caller compares the store with the twin: nothing of it may have changed.
  func copyThroughLink(_ statements: [Statement]) throws {
    let link = path + ".link"
    let files = FileManager.default
    if !files.fileExists(atPath: link) {
      try files.createSymbolicLink(atPath: link, withDestinationPath: "store.croft")
    }
    // Copying follows the writers of this process, so that there is no commit halfway.
    let copy = try Store.inMemory(
      copyOf: URL(filePath: link), models: models.shapes.map(\.type),
      migrations: models.migrations)
    counts.copies += 1
    let before = twin
    defer { twin = before }
    try write(statements, to: copy)
    try compareTables(of: copy, twin, "the copy by a link")
    try verify(copy, "the copy by a link")
  }

  /// Deletes all objects, under the observers that there are.
  func erase() throws {
    do {
      try opened().erase()
      for shape in models.shapes { twin.replace(shape.name, by: []) }
    } catch StoreError.mapFull {
      counts.undone += 1
    }
  }

  /// Damages a stored row, opens the store in another version beside it, and deletes the object.
  ///
  /// - Parameters:
  ///   - number: Chooses the row among all.
  ///   - byte: Chooses the byte that differs.
  ///   - version: The version in which a copy of the store is opened while it is damaged.
  func damage(_ number: Int, _ byte: Int, beside version: Int) throws {
    guard let row = try damageRow(number, byte) else { return }
    guard let (model, key) = try damagedObject() else { return try mend(row) }
    counts.damages += 1
    try openCopy(in: version, model)
    try write(.own, [.delete(model, key)], fails: false)
    // A rule denied it, or there was no room: the disk mends itself.
    if twin.row(model, key) != nil { try mend(row) }
  }

  /// Writes the bytes that a row had before the damage.
  private func mend(_ row: StoredBytes) throws {
    if try put(row.bytes, at: row) { return }
    // A map that is full grows when no snapshot is open.
    snapshot = nil
    if try !put(row.bytes, at: row) { throw Failure("there is no room to mend a row") }
  }

  private struct StoredBytes {
    let tree: String
    let key: [UInt8]
    let bytes: [UInt8]
  }

  /// Changes a byte of a row; nil where there is no row.
  private func damageRow(_ number: Int, _ byte: Int) throws -> StoredBytes? {
    var rows: [StoredBytes] = []
    try opened().writeInEngine { transaction in
      for tree in (1...40).map({ "e\($0)" }) {
        guard let database = try transaction.database(named: tree) else { continue }
        try transaction.forEachBlock(of: database) { block in
          for place in 0..<block.count where rows.count < 500 {
            rows.append(
              StoredBytes(
                tree: tree, key: block.key(at: place).array,
                bytes: block.value(at: place).array))
          }
          return rows.count < 500
        }
      }
    }
    guard !rows.isEmpty else { return nil }
    let row = rows[number % rows.count]
    var bytes = row.bytes
    // The flags say whether there is a checksum: without it no row is known to be damaged.
    let place = byte % bytes.count
    bytes[place == 1 ? 0 : place] ^= 0x40
    return try put(bytes, at: row) ? row : nil
  }

  /// Writes a row without the store's help; false where the map is full.
  private func put(_ bytes: [UInt8], at row: StoredBytes) throws -> Bool {
    do {
      try opened().writeInEngine { transaction in
        guard let database = try transaction.database(named: row.tree) else { return }
        _ = try transaction.put(bytes.span.bytes, at: row.key.span.bytes, in: database)
      }
      return true
    } catch LMDBError.Code.mapFull {
      return false
    }
  }

  /// The object whose row cannot be read; nil where it is of no model of this version.
  private func damagedObject() throws -> (model: String, key: Value)? {
    try opened().read { transaction in
      for shape in models.shapes {
        for (key, _) in twin.rows(shape.name) {
          do { _ = try shape.get(key, in: &transaction) } catch StoreError.corrupt {
            return (shape.name, key)
          }
        }
      }
      return nil
    }
  }

  /// Opens a copy of the damaged store in another version, and then in this one.
  ///
  /// The other version may be refused; this one must open the copy whatever became of that, unless it
  /// was migrated.
  private func openCopy(in version: Int, _ model: String) throws {
    let copy = folder.path + "/damaged.croft"
    for end in ["", "-lock"] where FileManager.default.fileExists(atPath: copy + end) {
      try FileManager.default.removeItem(atPath: copy + end)
    }
    try opened().backup(to: URL(filePath: copy))
    counts.copies += 1
    let others = family.versions[version % family.versions.count]
    do {
      _ = try Store.open(
        path: copy, listed: others.shapes.map(\.type), options: options,
        migrations: others.migrations)
      return
    } catch let error as StoreError {
      if case .mapFull = error { return }
    }
    let again = try Store.open(
      path: copy, listed: models.shapes.map(\.type), options: options,
      migrations: models.migrations)
    let shape = models.shape(model)
    let count = try again.read { tx in try shape.count(Question(model), in: &tx, models) }
    guard count == twin.count(model) else {
      throw Failure(.lost, "a copy that a version refused has \(count) of \(model)")
    }
  }
}

extension RawSpan {
  /// A copy of the bytes.
  fileprivate var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
