/// The rows that a live query keeps, in the trees that its changes need.
///
/// - `byKey` finds the row that a key had; where the query's own order is by key, `shown` does.
/// - `groups` has all rows that match, by their distinct values; only the first of each is `shown`.
/// - `shown` is the result before offset and limit, as far as it is kept: see ``LimitLookahead``.
///
/// Confined to its evaluator.
struct MaterializedResult {
  let reserve: LimitLookahead
  private let query: QueryCore
  private var shown = RowTree(.query)
  private var byKey: RowTree?
  private var groups: RowTree?
  /// The last row that is known to have no unknown one before it; nil where all are kept.
  private var horizon: StoredRow?

  init(_ query: QueryCore) {
    self.query = query
    reserve = LimitLookahead(query)
    clear()
  }

  /// The result, as of the last changes that could be applied.
  private(set) var results = ResultRows.empty

  private mutating func clear() {
    shown = RowTree(.query)
    byKey = query.order.isEmpty && query.distinct.isEmpty ? nil : RowTree(.key)
    groups = query.distinct.isEmpty ? nil : RowTree(.group)
    horizon = nil
  }

  /// The row that a key has so far.
  private func find(_ key: UnsafeRawBufferPointer) -> StoredRow? {
    // Safety: the caller lends the key for the call.
    if let byKey { return unsafe byKey.find(key).row }
    return unsafe shown.find(key).row
  }

  /// Replaces all by what a run gave; rows that stayed the same stay the same copies.
  mutating func replace(by rows: [StoredRow]) {
    let rows = rows.map { row in
      // Safety: the row is kept during the call.
      guard let known = unsafe find(row.code(in: .key)), known.isSame(as: row) else { return row }
      return known
    }
    clear()
    build(rows)
    if let most = reserve.most, rows.count >= most { horizon = shown[shown.count - 1] }
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

  /// Applies what a commit made of some keys.
  ///
  /// Where the query has to be run, ``results`` stays, and the rest is void until ``replace(by:)``.
  mutating func apply(_ matches: [RowMatch]) -> QueryEvaluator.Outcome {
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
    if reserve.isDry(shown.count, hasMore: horizon != nil) {
      CoverageMark.hit(.reserveDry)
      return .needsRun
    }
    trim()
    show()
    return .changed
  }

  /// Applies what became of one key.
  ///
  /// - Returns: Whether the rows kept have changed.
  private mutating func apply(_ match: RowMatch) -> Bool {
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
        leave(old)
        enter(new)
      }
    case (let old?, nil):
      byKey?.remove(old)
      leave(old)
    case (nil, let new?):
      byKey?.insert(new)
      enter(new)
    }
    return true
  }

  /// Puts a row where the order and its distinct values say.
  private mutating func enter(_ row: StoredRow) {
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

  /// Takes a row away; the next of its group comes in its place.
  private mutating func leave(_ row: StoredRow) {
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

  /// Puts a row in the place of one with the same codes.
  private mutating func replace(_ old: StoredRow, by new: StoredRow) {
    let isShown = groups == nil || firstOfGroup(of: old).map { $0.isIdentical(to: old) } ?? false
    groups?.insert(new)
    if isShown { shown.insert(new) }
  }

  /// The first row with the distinct values of another one.
  private func firstOfGroup(of row: StoredRow) -> StoredRow? {
    guard let groups else { return nil }
    // Safety: the row is kept during the call.
    let rank = withExtendedLifetime(row) { unsafe groups.find(row.groupCode).rank }
    guard rank < groups.count else { return nil }
    let first = groups[rank]
    return first.isInGroup(of: row) ? first : nil
  }

  /// Applies many changes by building the trees anew.
  private mutating func applyAll(_ matches: [RowMatch]) -> Bool {
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

  /// Drops rows that are far behind the window, so that a limit bounds what is kept.
  private mutating func trim() {
    guard let most = reserve.most, shown.count > most * 2 else { return }
    CoverageMark.hit(.resultTrimmed)
    while shown.count > most {
      let last = shown[shown.count - 1]
      shown.remove(last)
      byKey?.remove(last)
    }
    horizon = shown[shown.count - 1]
  }
}
