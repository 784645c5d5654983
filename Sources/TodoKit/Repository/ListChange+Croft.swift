public import Croft
public import Presentation

extension ListChange where Element: Model {
  /// Makes a change of a list view from a change of a live query.
  ///
  /// Rows are made when they are read. Apply every change of an observation, the first included:
  /// each one starts at the result of the one before.
  ///
  /// - Complexity: O(c) for c changed rows.
  public init(_ change: ResultChange<Element>) {
    let after = SectionedRows(ListRows(change.after, version: change.after.version))
    guard !change.isInitial else {
      self.init(initial: after)
      return
    }
    self.init(
      before: SectionedRows(ListRows(change.before, version: change.before.version)),
      after: after,
      deletions: change.deletions, insertions: change.insertions,
      modifications: change.modifications, modificationsAfter: change.modificationsAfter,
      moves: change.moves.map { Move(from: $0.from, to: $0.to, isModified: $0.isModified) })
  }

  /// Makes a change of a list view from a change of a live query with sections.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - name: Names a section for its key; another key has another name.
  /// - Complexity: O(c + s) for c changed rows and s sections.
  public init<Key>(_ change: SectionedChange<Element, Key>, name: (Key) -> String) {
    let after = SectionedRows(change.after, name: name)
    guard !change.isInitial else {
      self.init(initial: after)
      return
    }
    let before = SectionedRows(change.before, name: name)
    self.init(
      before: before, after: after,
      deletions: change.deletions.map { before.index(of: ListIndexPath($0)) },
      insertions: change.insertions.map { after.index(of: ListIndexPath($0)) },
      modifications: change.modifications.map { before.index(of: ListIndexPath($0)) },
      modificationsAfter: change.modificationsAfter.map { after.index(of: ListIndexPath($0)) },
      moves: change.moves.map { move in
        Move(
          from: before.index(of: ListIndexPath(move.from)),
          to: after.index(of: ListIndexPath(move.to)), isModified: move.isModified)
      })
  }
}

extension SectionedRows where Element: Model {
  fileprivate init<Key>(_ results: SectionedResults<Element, Key>, name: (Key) -> String) {
    self.init(
      ListRows(results.objects, version: results.objects.version),
      sections: results.map { ListSection(name: name($0.key), count: $0.objects.count) })
  }
}

extension ListIndexPath {
  fileprivate init(_ position: SectionPosition) {
    self.init(section: position.section, row: position.index)
  }
}
