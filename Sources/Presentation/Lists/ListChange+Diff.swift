public import Reactive

extension ListChange where Element: Identifiable & Equatable, Element.ID: Sendable {
  /// Compares two lists, row by row, by the rows' ids.
  ///
  /// The change has the fewest possible moves.
  ///
  /// - Precondition: No id is in a list twice.
  /// - Complexity: O(n log n) for n rows in both. A store that knows its changes makes them itself.
  public init(from before: SectionedRows<Element>, to after: SectionedRows<Element>) {
    let oldIndices = Self.places(of: before.rows)
    let newIndices = Self.places(of: after.rows)
    let common = after.rows.indices.compactMap { new in
      oldIndices[after.rows[new].id].map { (old: $0, new: new) }
    }
    let staying = Set(common.map(\.old).longestIncreasingSubsequence())
    var moves: [Move] = []
    var modifications: [(old: Int, new: Int)] = []
    for (index, pair) in common.enumerated() {
      let isModified = before.rows[pair.old] != after.rows[pair.new]
      if !staying.contains(index) {
        moves.append(Move(from: pair.old, to: pair.new, isModified: isModified))
      } else if isModified {
        modifications.append(pair)
      }
    }
    self.init(
      before: before, after: after,
      deletions: before.rows.indices.filter { newIndices[before.rows[$0].id] == nil },
      insertions: after.rows.indices.filter { oldIndices[after.rows[$0].id] == nil },
      modifications: modifications.map(\.old), modificationsAfter: modifications.map(\.new),
      moves: moves)
  }

  private static func places(of rows: ListRows<Element>) -> [Element.ID: Int] {
    Dictionary(zip(rows.lazy.map(\.id), 0...)) { _, _ in
      preconditionFailure("Two rows of a list have one id: give each row an id of its own.")
    }
  }
}

extension ObservableType {
  /// Emits the change from each list to the next one; the first change is initial.
  ///
  /// It is for sources that emit whole lists. A list that equals the one before emits nothing.
  public func listChanges<Row: Identifiable & Equatable & Sendable>()
    -> Observable<ListChange<Row>> where Element == SectionedRows<Row>, Row.ID: Sendable
  {
    asObservable()
      .distinctUntilChanged()
      .scan((before: SectionedRows<Row>?.none, change: ListChange<Row>?.none)) { last, list in
        (list, last.before.map { ListChange(from: $0, to: list) } ?? ListChange(initial: list))
      }
      .compactMap(\.change)
  }

  /// Emits the change from each array to the next one, as that of a list without sections.
  public func listChanges<Row: Identifiable & Equatable & Sendable>()
    -> Observable<ListChange<Row>> where Element == [Row], Row.ID: Sendable
  {
    map { SectionedRows($0) }.listChanges()
  }
}
