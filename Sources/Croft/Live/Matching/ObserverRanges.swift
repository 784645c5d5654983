/// Ranges of key codes, found by a code within them.
///
/// They are sorted by their lower ends, as an implicit tree in which each part knows the
/// greatest upper end of its ranges. It is built when it is first asked after a change.
struct ObserverRanges {
  private struct Entry {
    let id: Int
    let lower: [UInt8]
    /// The first code behind the range; nil where it is open.
    let upper: [UInt8]?
    /// The greatest upper end of the part of which this entry is the middle; nil where one is open.
    var greatest: [UInt8]?
  }

  private var entries: [Entry] = []
  private var isSorted = true
  /// The queries whose ranges count no longer.
  private var gone: Set<Int> = []

  mutating func insert(_ id: Int, _ lower: [UInt8], _ upper: [UInt8]?) {
    if gone.contains(id) { sweep() }
    entries.append(Entry(id: id, lower: lower, upper: upper, greatest: upper))
    isSorted = false
  }

  mutating func remove(_ id: Int) {
    gone.insert(id)
    if gone.count * 2 > entries.count { sweep() }
  }

  /// Drops the ranges that count no longer.
  private mutating func sweep() {
    entries.removeAll { gone.contains($0.id) }
    gone = []
    isSorted = false
  }

  /// Adds the ranges that a code lies in.
  ///
  /// - Complexity: O(log *n*) and O(log *n*) for each range found, once the ranges are sorted.
  mutating func collect(_ code: [UInt8], into ids: inout Set<Int>) {
    if !isSorted {
      entries.sort { $0.lower.lexicographicallyPrecedes($1.lower) }
      _ = note(0..<entries.count)
      isSorted = true
    }
    collect(code, 0..<entries.count, &ids)
  }

  private func collect(_ code: [UInt8], _ part: Range<Int>, _ ids: inout Set<Int>) {
    guard !part.isEmpty else { return }
    let middle = (part.lowerBound + part.upperBound) / 2
    let entry = entries[middle]
    // All ranges of the part end before the code.
    if let greatest = entry.greatest, !code.lexicographicallyPrecedes(greatest) { return }
    collect(code, part.lowerBound..<middle, &ids)
    if code.lexicographicallyPrecedes(entry.lower) { return }
    let isInside = entry.upper.map { code.lexicographicallyPrecedes($0) } ?? true
    if isInside, !gone.contains(entry.id) { ids.insert(entry.id) }
    collect(code, middle + 1..<part.upperBound, &ids)
  }

  /// Notes the greatest upper end of a part and of all parts in it.
  ///
  /// - Returns: It; an inner nil for an open one, and nil for an empty part.
  private mutating func note(_ part: Range<Int>) -> [UInt8]?? {
    guard !part.isEmpty else { return nil }
    let middle = (part.lowerBound + part.upperBound) / 2
    var greatest = entries[middle].upper
    for inner in [part.lowerBound..<middle, middle + 1..<part.upperBound] {
      guard let other = note(inner) else { continue }
      guard let known = greatest, let other else {
        greatest = nil
        continue
      }
      if known.lexicographicallyPrecedes(other) { greatest = other }
    }
    entries[middle].greatest = greatest
    return .some(greatest)
  }
}
