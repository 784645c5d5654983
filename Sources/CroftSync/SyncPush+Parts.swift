// A push that is too long for one message is sent in parts, which the server writes together.

extension SyncPush {
  /// The most bytes of a part, unless one row has more.
  static let mostBytes = 8 << 20

  /// The parts to upload, and the push that has the last one.
  ///
  /// - Parameter count: The most rows of a part, and the most references.
  func parts(of count: Int, bytes: Int = mostBytes) -> (uploaded: [Part], push: SyncPush) {
    var parts: [Part] = []
    var rows: [Row] = []
    var size = 0
    func end() {
      parts.append(Part(rows: rows, references: []))
      (rows, size) = ([], 0)
    }
    for row in last.rows {
      if !rows.isEmpty, rows.count >= count || size + row.byteCount > bytes { end() }
      rows.append(row)
      size += row.byteCount
    }
    end()
    for (place, first) in stride(from: 0, to: last.references.count, by: count).enumerated() {
      if place == parts.count { end() }
      parts[place].references = Array(last.references[first...].prefix(count))
    }
    var push = self
    push.last = parts.removeLast()
    push.uploadedParts = parts.count
    return (parts, push)
  }
}

extension SyncPush.Row {
  fileprivate var byteCount: Int { object.key.count + stamps.count + (fields?.count ?? 0) }
}
