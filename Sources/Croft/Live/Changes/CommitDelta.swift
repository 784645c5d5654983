/// What one commit, or several in a row, did to the rows of each model.
struct CommitDelta: Sendable {
  /// The commit; the last one where there are several.
  let sequence: UInt64
  /// The catalog that numbers the models.
  let catalog: Catalog
  /// The changes of each model that has any, by the model's number: for each of the commits, in order.
  let parts: [[Int: TableDelta]]
  /// About how much memory it takes.
  let byteCount: Int
  /// Whether the changes are known to come from another replica.
  var isRemote = false
}

extension CommitDelta {
  /// Decodes what a commit of this store captured.
  ///
  /// - Parameter observed: What the observers need. The delta is unknown for a model that is
  ///   observed only since the transaction began.
  init(_ commit: LiveHub.PendingCommit, for observed: ObservedRegions) {
    self.init(
      sequence: commit.sequence, catalog: commit.catalog,
      parts: [Self.tables(of: commit, for: observed)], byteCount: commit.byteCount,
      isRemote: commit.origin == .remote)
  }

  /// The changes of each model, with those of all commits merged.
  var tables: [Int: TableDelta] {
    parts.dropFirst().reduce(into: parts.first ?? [:]) { tables, part in
      tables.merge(part) { $0.followed(by: $1) }
    }
  }

  /// The decoded changes of a commit.
  static func tables(
    of commit: LiveHub.PendingCommit, for observed: ObservedRegions
  ) -> [Int: TableDelta] {
    let models = commit.capture?.models ?? commit.catalog.capturedModels
    let isCaptured = commit.capture != nil
    var tables = commit.capture.map { $0.deltas() } ?? [:]
    for number in models.indices where models[number].layout != nil {
      let wasCaptured = isCaptured && models[number].detail != .nothing
      if !wasCaptured, !models[number].isUnknown, observed.detail(of: number) > .nothing {
        tables[number] = .unknown
      }
    }
    return tables
  }
}

/// What a commit did to the rows of one model.
enum TableDelta: Sendable {
  /// The rows that differ, ascending by key, each once: from its first state to its last.
  case rows([RowDelta])
  /// The keys of the rows that were written, ascending, each once; the rows before are not known.
  case keys([[UInt8]])
  /// Something changed, and it is not known what.
  case unknown

  var isEmpty: Bool {
    switch self {
    case .rows(let rows): rows.isEmpty
    case .keys(let keys): keys.isEmpty
    case .unknown: false
    }
  }

  fileprivate func followed(by later: TableDelta) -> TableDelta {
    guard case .rows(let first) = self, case .rows(let second) = later else { return .unknown }
    var rows = Dictionary(first.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    for delta in second {
      let earlier = rows[delta.key]
      rows[delta.key] = RowDelta(
        key: delta.key, old: earlier == nil ? delta.old : earlier?.old, new: delta.new,
        isOldKnown: earlier?.isOldKnown ?? delta.isOldKnown)
    }
    return .rows(
      rows.values.filter { !$0.isEmpty }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) })
  }
}

/// What a commit did to one row.
struct RowDelta: Sendable {
  let key: [UInt8]
  /// The row before the commit, in the layout of its catalog; nil where there was none.
  let old: StoredRow?
  /// The row after the commit, in the same layout; nil where there is none.
  let new: StoredRow?
  /// Whether ``old`` is known; another process's log has keys only.
  var isOldKnown = true

  /// Whether the row is known to be the same before and after.
  fileprivate var isEmpty: Bool {
    guard isOldKnown else { return false }
    guard let old, let new else { return old == nil && new == nil }
    return old.holdsSame(as: new)
  }
}

// Decoding a capture.

extension ChangeCapture {
  /// The net changes of each model in the whole transaction, by the model's number.
  func deltas() -> [Int: TableDelta] {
    var entries: [Int: [Entry]] = [:]
    var start = 0
    while start < bytes.count {
      let entry = Entry(at: start, in: bytes)
      entries[entry.model, default: []].append(entry)
      start = entry.end
    }
    var deltas = entries.mapValues { delta(of: $0) }.filter { !$0.value.isEmpty }
    for (number, model) in models.enumerated() where model.isUnknown {
      deltas[number] = .unknown
    }
    return deltas
  }

  private func delta(of entries: [Entry]) -> TableDelta {
    // Safety: keys are within the capture, which is constant while it is read.
    let order = unsafe ByteList.comparison(count: entries.count) { unsafe key(entries[$0]) }
    let model = models[entries[0].model]
    var (rows, keys): ([RowDelta], [[UInt8]]) = ([], [])
    var place = 0
    while place < order.count {
      let first = entries[Int(order[place])]
      var last = first
      place += 1
      while place < order.count,
        unsafe ByteList.compare(key(entries[Int(order[place])]), key(first)) == 0
      {
        last = entries[Int(order[place])]
        place += 1
      }
      if model.detail == .keys {
        unsafe keys.append([UInt8](key(first)))
      } else if let layout = model.layout, let delta = delta(from: first, to: last, layout) {
        rows.append(delta)
      }
    }
    return model.detail == .keys ? .keys(keys) : .rows(rows)
  }

  /// The net change of a row from its first entry to its last; nil where the row is the same.
  private func delta(from first: Entry, to last: Entry, _ layout: RecordLayout) -> RowDelta? {
    let old = first.oldCount.map { row(of: first, at: first.oldStart, $0) }
    let new = last.newCount.map { row(of: last, at: last.newStart, $0) }
    if old == nil, new == nil { return nil }
    if let old, let new, unsafe ByteList.compare(old.rowBytes, new.rowBytes) == 0 { return nil }
    return RowDelta(
      key: unsafe [UInt8](key(first)), old: old.map { StoredRow($0, layout) },
      new: new.map { StoredRow($0, layout) })
  }
}
