/// The rows of a live query's result, in the trees that incremental changes need.
///
/// - `byKey` finds the old row of a key; where the query's own order is by key, `shown` does.
/// - `groups` has all rows that match, by their distinct values; only the first of each is `shown`.
/// - `shown` is the result before offset and limit, as far as it is kept: see ``MaterializedResult.LimitLookahead``.
///
/// Confined to its query.
struct MaterializedResult {
  let lookahead: MaterializedResult.LimitLookahead
  private let query: QueryCore
  private var shown = RowTree(.query)
  private var byKey: RowTree?
  private var groups: RowTree?
  /// The last row that is kept where more rows match; nil where all rows are kept.
  private var horizon: StoredRow?

  init(_ query: QueryCore) {
    self.query = query
    lookahead = MaterializedResult.LimitLookahead(query)
    clear()
  }

  /// The result after the last changes that were applied.
  private(set) var results = ResultRows.empty

  private mutating func clear() {
    shown = RowTree(.query)
    byKey = query.order.isEmpty && query.distinct.isEmpty ? nil : RowTree(.key)
    groups = query.distinct.isEmpty ? nil : RowTree(.group)
    horizon = nil
  }

  /// The kept row of a key.
  private func find(_ key: UnsafeRawBufferPointer) -> StoredRow? {
    // Safety: the key is valid during the call.
    if let byKey { return unsafe byKey.find(key).row }
    return unsafe shown.find(key).row
  }

  /// Replaces all rows by those of a run; rows that are the same stay shared.
  mutating func replace(by rows: [StoredRow]) {
    let rows = rows.map { row in
      // Safety: the row is kept during the call.
      guard let known = unsafe find(row.code(in: .key)), known.isSame(as: row) else { return row }
      return known
    }
    clear()
    build(rows)
    if let most = lookahead.most, rows.count >= most { horizon = shown[shown.count - 1] }
    show()
  }

  private mutating func show() {
    results = ResultRows(shown, offset: query.offset, limit: query.limit)
  }

  private mutating func build(_ rows: [StoredRow]) {
    if byKey != nil { byKey = RowTree(rows, by: .key) }
    guard groups != nil else {
      shown = RowTree(rows, by: .query)
      return
    }
    let groups = RowTree(rows, by: .group)
    self.groups = groups
    var firsts: [StoredRow] = []
    groups.forEach(in: 0..<groups.count) { row in
      if let last = firsts.last, last.isInGroup(of: row) { return }
      firsts.append(row)
    }
    shown = RowTree(firsts, by: .query)
  }

  /// Applies the matches of some keys after a commit.
  ///
  /// Where the query must be run, ``results`` stays, and the trees are invalid until
  /// ``replace(by:)``.
  mutating func apply(_ matches: [LiveQuery.RowMatch]) -> LiveOutcome {
    var hasChanged = false
    if matches.count > Threshold.changesForRebuild.value, matches.count > shown.count / 4,
      horizon == nil
    {
      CoverageMark.hit(.resultRebuilt)
      hasChanged = applyAll(matches)
    } else {
      for match in matches where apply(match) { hasChanged = true }
    }
    guard hasChanged else { return .unchanged }
    if lookahead.isExhausted(shown.count, hasMore: horizon != nil) {
      CoverageMark.hit(.lookaheadExhausted)
      return .needsRun
    }
    trim()
    show()
    return .changed
  }

  /// Applies the match of one key; whether the rows kept have changed.
  private mutating func apply(_ match: LiveQuery.RowMatch) -> Bool {
    // Safety: the match keeps the key during the call.
    let old = unsafe match.key.withUnsafeBytes { unsafe find($0) }
    let new = match.row.flatMap { isWithinHorizon($0) ? $0 : nil }
    switch (old, new) {
    case (nil, nil): return false
    case (let old?, let new?):
      if old.isSame(as: new) { return false }
      byKey?.insert(new)
      if old.hasSamePlace(as: new) {
        replace(old, by: new)
      } else {
        remove(old)
        insert(new)
      }
    case (let old?, nil):
      byKey?.remove(old)
      remove(old)
    case (nil, let new?):
      byKey?.insert(new)
      insert(new)
    }
    return true
  }

  /// Inserts a row; of the rows with the same distinct values, only the first is shown.
  private mutating func insert(_ row: StoredRow) {
    guard groups != nil else {
      shown.insert(row)
      return
    }
    let first = firstOfGroup(of: row)
    groups?.insert(row)
    if let first {
      guard row.precedes(first) else { return }
      shown.remove(first)
    }
    shown.insert(row)
  }

  /// Removes a row; the next one with the same distinct values replaces it.
  private mutating func remove(_ row: StoredRow) {
    guard groups != nil else {
      shown.remove(row)
      return
    }
    let isFirst = firstOfGroup(of: row).map { $0.isIdentical(to: row) } ?? false
    groups?.remove(row)
    guard isFirst else { return }
    shown.remove(row)
    if let next = firstOfGroup(of: row) { shown.insert(next) }
  }

  private mutating func replace(_ old: StoredRow, by new: StoredRow) {
    let isShown = groups == nil || firstOfGroup(of: old).map { $0.isIdentical(to: old) } ?? false
    groups?.insert(new)
    if isShown { shown.insert(new) }
  }

  /// The first row with the same distinct values as a row.
  private func firstOfGroup(of row: StoredRow) -> StoredRow? {
    guard let groups else { return nil }
    // Safety: the row is kept during the call.
    let rank = withExtendedLifetime(row) { unsafe groups.find(row.groupCode).rank }
    guard rank < groups.count else { return nil }
    let first = groups[rank]
    return first.isInGroup(of: row) ? first : nil
  }

  /// Applies many matches by building the trees again.
  private mutating func applyAll(_ matches: [LiveQuery.RowMatch]) -> Bool {
    var rows = (byKey ?? shown).rows
    var changed: [StoredRow] = []
    var gone = Set<[UInt8]>()
    for match in matches {
      // Safety: the match keeps the key during the call.
      let old = unsafe match.key.withUnsafeBytes { unsafe find($0) }
      if let old, let new = match.row, old.isSame(as: new) { continue }
      if old != nil { gone.insert(match.key) }
      if let new = match.row { changed.append(new) }
    }
    if gone.isEmpty, changed.isEmpty { return false }
    if !gone.isEmpty { rows.removeAll { gone.contains($0.key) } }
    build(rows + changed)
    return true
  }

  private func isWithinHorizon(_ row: StoredRow) -> Bool {
    horizon.map { row.precedes($0) || row.hasSamePlace(as: $0) } ?? true
  }

  /// Removes rows far after the window, so that a limit bounds what is kept.
  private mutating func trim() {
    guard let most = lookahead.most, shown.count > most * 2 else { return }
    CoverageMark.hit(.resultTrimmed)
    while shown.count > most {
      let last = shown[shown.count - 1]
      shown.remove(last)
      byKey?.remove(last)
    }
    horizon = shown[shown.count - 1]
  }
}

extension MaterializedResult {
  /// How many rows a query with a limit keeps after its window.
  ///
  /// Such a query keeps the window and some rows after it, so that a row that leaves the window has
  /// a successor. When these are used up, the query is run again. A query with distinct values keeps
  /// all rows, because any of them may become the first of its group.
  struct LimitLookahead: Sendable {
    /// How many rows a run reads, in query order; nil where it reads all.
    let most: Int?
    /// How many rows the offset and the limit cover.
    private let wanted: Int

    init(_ query: QueryCore) {
      let (sum, isTooMany) = (query.limit ?? 0).addingReportingOverflow(query.offset)
      guard query.limit != nil, query.distinct.isEmpty, !isTooMany, sum < Int.max / 8 else {
        most = nil
        wanted = 0
        return
      }
      wanted = query.limit == 0 ? 0 : sum
      most = wanted + max(Threshold.lookaheadRows.value, wanted)
    }

    /// The query of a run.
    func query(_ query: QueryCore) -> QueryCore {
      var whole = query
      // It runs again when its rows are used up, and is another query than the one that others run.
      whole.plans = KeptPlans()
      whole.distinct = []
      whole.offset = 0
      whole.limit = query.limit == 0 ? 0 : most
      // The trees order the rows; a run needs an order only to read the first of them.
      if most == nil { whole.order = [] }
      return whole
    }

    /// Whether the window may lack rows.
    func isExhausted(_ count: Int, hasMore: Bool) -> Bool { hasMore && count < wanted }
  }
}

/// One version of a query's result: rows in its order, and the window that offset and limit show.
///
/// A value that shares most nodes with the versions before and after it.
struct ResultRows: Sendable {
  /// The rows before offset and limit, as far as they are kept.
  let tree: RowTree
  /// The ranks of the rows that offset and limit show.
  let window: Range<Int>

  static let empty = ResultRows(RowTree(.query), offset: 0, limit: nil)

  init(_ tree: RowTree, offset: Int, limit: Int?) {
    self.tree = tree
    let start = min(offset, tree.count)
    let length = min(limit ?? .max, tree.count - start)
    window = start..<start + length
  }

  /// A part of a version's window, by indices in it.
  init(_ rows: ResultRows, _ range: Range<Int>) {
    tree = rows.tree
    let start = rows.window.lowerBound
    window = start + range.lowerBound..<start + range.upperBound
  }

  /// How many rows are shown.
  var count: Int { window.count }

  /// The row of an index in the window, found in O(log *n*).
  subscript(position: Int) -> StoredRow {
    precondition(position >= 0 && position < count, "The index is not in the result.")
    return tree[window.lowerBound + position]
  }
}
