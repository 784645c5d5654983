/// A change of a list as changes of sections and of the index paths of rows.
struct ListEdits: Equatable, Sendable {
  var sections: [SectionEdit] = []
  var rows: [RowEdit] = []

  var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  /// Makes the batch of a change.
  ///
  /// - Complexity: O(c + s log s + m), all times log c, for c changes, s sections and m rows that
  ///   are in another section without having changed.
  init<Element>(_ change: ListChange<Element>) {
    let before = change.before
    let after = change.after
    let kept = Self.keptSections(before.sections, after.sections)
    sections = Self.edits(
      keeping: kept, before: before.sectionCount, after: after.sectionCount)
    let shift = IndexShift(change)
    var moves = change.moves
    var moved = Set<Int>()
    for (old, new) in shift.sectionChanges(before, after, kept) {
      let isModified = change.modifications.contains(sorted: old)
      moves.append(ListChange.Move(from: old, to: new, isModified: isModified))
      moved.insert(old)
    }
    if !moved.isEmpty { moves.sort { $0.to < $1.to } }
    rows = change.deletions.map { .delete(at: before.path(of: $0)) }
    rows += change.insertions.map { .insert(at: after.path(of: $0)) }
    rows += moves.map {
      .move(
        from: before.path(of: $0.from), to: after.path(of: $0.to), isModified: $0.isModified)
    }
    for (old, new) in zip(change.modifications, change.modificationsAfter)
    where !moved.contains(old) {
      rows.append(.update(at: before.path(of: old), now: after.path(of: new)))
    }
  }

  /// For each section before the change, its index after; nil when it was deleted or moved.
  private static func keptSections(
    _ before: [ListSection]?, _ after: [ListSection]?
  ) -> [Int?] {
    guard let before, let after else { return before == nil && after == nil ? [0] : [] }
    let places = Dictionary(
      uniqueKeysWithValues: after.enumerated().map { ($1.name, $0) })
    let common = before.indices.compactMap { old in
      places[before[old].name].map { (old: old, new: $0) }
    }
    var kept = [Int?](repeating: nil, count: before.count)
    for index in common.map(\.new).longestIncreasingSubsequence() {
      kept[common[index].old] = common[index].new
    }
    return kept
  }

  private static func edits(keeping kept: [Int?], before: Int, after: Int) -> [SectionEdit] {
    let staying = Set(kept.compactMap(\.self))
    return (0..<before).filter { $0 >= kept.count || kept[$0] == nil }.map { .delete($0) }
      + (0..<after).filter { !staying.contains($0) }.map { .insert($0) }
  }
}

/// A change of a section.
public enum SectionEdit: Hashable, Sendable {
  /// It was deleted, with its index before.
  case delete(Int)
  /// It was inserted, with its index after.
  case insert(Int)
}

/// A change of a row.
public enum RowEdit: Hashable, Sendable {
  /// It was deleted, with its index before.
  case delete(at: ListIndexPath)
  /// It was inserted, with its index after.
  case insert(at: ListIndexPath)
  /// It was moved, with its places before and after, and whether its fields changed too.
  case move(from: ListIndexPath, to: ListIndexPath, isModified: Bool)
  /// Its fields changed, with its places before and after the other changes.
  case update(at: ListIndexPath, now: ListIndexPath)
}
