import LMDB

/// The ranges of an index in which the entries of all matching rows are.
///
/// They are those of the conjuncts, or of each term of an `or` beside the other conjuncts where all of its
/// terms narrow them. So the rows after one row of an ordered list are a range of an index over the order:
/// `a > x || (a == x && b > y)`.
struct IndexRanges {
  /// What the conjuncts other than an `or` bound.
  let bounds: CandidateBounds
  /// Disjoint and ascending.
  private(set) var ranges: [KeyRange]
  /// The conjuncts that hold for all entries in the ranges.
  private(set) var answered: CandidateBounds.ConjunctSet

  init(of conjuncts: [ConditionTree], _ index: EntryIndex, _ schema: Schema) {
    var tries = Threshold.rangesPerIndex.value
    self.init(of: conjuncts, index, schema, &tries)
  }

  /// - Parameter tries: How many more lists of conjuncts are looked at.
  private init(
    of conjuncts: [ConditionTree], _ index: EntryIndex, _ schema: Schema, _ tries: inout Int
  ) {
    tries -= 1
    // An entry of a unique index has no primary key, but where a code is truncated.
    let key = index.isUnique ? [] : schema.keyPlaces.map { IndexColumn(place: $0) }
    bounds = CandidateBounds(conjuncts, index.columns, schema, cut: index.cut, key: key)
    (ranges, answered) = (bounds.prefixes.isEmpty ? [] : bounds.ranges, bounds.answered)
    // A row has several entries in an index of elements, of which different terms may find one each.
    guard index.multiple == nil else { return }
    for (ordinal, conjunct) in conjuncts.enumerated() {
      guard case .or(let terms) = conjunct, terms.count <= tries else { continue }
      if narrow(by: terms, ordinal, conjuncts, index, schema, &tries) { return }
    }
  }

  /// Replaces the ranges by those of the terms of an `or`; false where one of the terms has no narrower ones.
  private mutating func narrow(
    by terms: ConditionTree.Terms, _ ordinal: Int, _ conjuncts: [ConditionTree],
    _ index: EntryIndex, _ schema: Schema, _ tries: inout Int
  ) -> Bool {
    var found: [KeyRange] = []
    var held = CandidateBounds.ConjunctSet.all
    for term in terms where !term.conjuncts.contains(where: \.isNever) {
      var own = conjuncts
      own[ordinal] = .constant(true)
      own += term.conjuncts
      if tries <= 0 { return false }
      let part = IndexRanges(of: own, index, schema, &tries)
      guard part.ranges != ranges else { return false }
      found += part.ranges
      var answered = part.answered
      if (conjuncts.count..<own.count).allSatisfy(answered.contains) { answered.insert(ordinal) }
      held = held.intersection(answered)
    }
    if found.count > Threshold.rangesPerIndex.value { return false }
    ranges = found.merged()
    answered = held
    return true
  }
}

extension [KeyRange] {
  /// The same keys as disjoint ranges, ascending; each has an inclusive lower bound and an exclusive upper one.
  fileprivate func merged() -> [KeyRange] {
    let sorted = self.sorted { $0.start.lexicographicallyPrecedes($1.start) }
    var merged: [KeyRange] = []
    for range in sorted {
      guard let last = merged.last, last.reaches(range.start) else {
        merged.append(range)
        continue
      }
      if !last.contains(endOf: range) {
        merged[merged.count - 1] = KeyRange(lower: last.lower, upper: range.upper)
      }
    }
    return merged
  }
}

// The ranges of an index have an inclusive lower bound and an exclusive upper one.
extension KeyRange {
  fileprivate var start: [UInt8] { if case .inclusive(let start) = lower { start } else { [] } }
  /// Nil where there is none.
  private var end: [UInt8]? { if case .exclusive(let end) = upper { end } else { nil } }

  /// The keys of both ranges; nil for none.
  func intersection(_ other: KeyRange) -> KeyRange? {
    let start = start.lexicographicallyPrecedes(other.start) ? other.start : start
    let end = [end, other.end].compactMap { $0 }.min { $0.lexicographicallyPrecedes($1) }
    if let end, !start.lexicographicallyPrecedes(end) { return nil }
    return KeyRange(
      lower: start.isEmpty ? .unbounded : .inclusive(start),
      upper: end.map { .exclusive($0) } ?? .unbounded)
  }

  /// Whether no key is between the range and a later start.
  fileprivate func reaches(_ start: [UInt8]) -> Bool {
    end.map { !$0.lexicographicallyPrecedes(start) } ?? true
  }

  fileprivate func contains(endOf other: KeyRange) -> Bool {
    guard let end else { return true }
    return other.end.map { !end.lexicographicallyPrecedes($0) } ?? false
  }
}
