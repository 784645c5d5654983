import Testing
import TestSupport

@testable import Croft

/// Queries that read the rows which two indexes bring.
@Suite(.keepsFailedStores) struct QueryIntersectionTests {
  /// Two properties of which each value is that of one object in a hundred.
  @Model struct Cell: Hashable {
    @PrimaryKey var id: Int
    @Indexed var row: Int
    @Indexed var column: Int
    @Indexed var tags: [Int] = []
    var note = ""
  }

  private static func cells(_ count: Int) -> [Cell] {
    (0..<count).map { id in
      Cell(
        id: id, row: id * 7 % 20, column: id * 13 % 19, tags: [id % 3, id % 11, id % 3],
        note: "\(id)")
    }
  }

  /// Each index alone brings a twentieth of the rows, both together a few.
  @Test func twoConditionsOnRareValuesReadTwoIndexes() throws {
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: Self.cells(20_000)) }
      let query = Cell.where { $0.row == 3 && $0.column == 5 && $0.note != "x" }
      let found = try store.explain(query)
      #expect(found.access == .intersection)
      #expect(
        found.description == """
          Cell by the intersection of the indexes over row; column: row == 3 && column == 5
            rows: about 53
            test: !(note == "x")
            order: by primary key
          """)
      #expect(
        try store.fetch(query) == Self.cells(20_000).filter { $0.row == 3 && $0.column == 5 })
      #expect(try store.count(query) == 53)
    }
  }

  /// A small result, a small store, a rare value or a limit need one index or none.
  @Test func oneIndexIsReadWhereAnotherWouldNotPay() throws {
    try withStore(of: Cell.self) { store in
      try store.write { try $0.insert(contentsOf: Self.cells(20_000)) }
      let few = Cell.where { $0.row == 3 && $0.column == 5 }.limit(1)
      #expect(try store.explain(few).access != .intersection)
      let most = Cell.where { $0.row >= 1 && $0.column >= 1 }
      #expect(try store.explain(most).access == .scan)
      try store.write { try $0.delete(Cell.where { $0.id >= 300 }) }
      let small = Cell.where { $0.row == 3 && $0.column == 5 }
      #expect(try store.explain(small).access == .indexEquality)
    }
  }

  /// Every plan gives the same rows, with an order, an offset, distinct values and repeated elements.
  @Test func everyPlanGivesTheSameRows() throws {
    try withStore(of: Cell.self) { store in
      let cells = Self.cells(400)
      try store.write { try $0.insert(contentsOf: cells) }
      let queries: [(Query<Cell>, (Cell) -> Bool)] = [
        (Cell.where { $0.row == 3 && $0.column >= 5 }, { $0.row == 3 && $0.column >= 5 }),
        (
          Cell.where { $0.tags.contains(2) && $0.row < 9 },
          { $0.tags.contains(2) && $0.row < 9 }
        ),
        (
          Cell.where { $0.tags.contains(2) && $0.column.in([1, 4, 7]) && $0.row != 2 },
          { $0.tags.contains(2) && [1, 4, 7].contains($0.column) && $0.row != 2 }
        ),
      ]
      for (query, holds) in queries {
        let expected = cells.filter(holds)
        let plans = try store.everyPlan(of: query) { found, plan in
          #expect(found == expected, "plan \(plan)")
        }
        #expect(plans >= 4)
        _ = try store.everyPlan(of: query.order(by: \.note.descending).limit(4, offset: 1)) {
          found, plan in
          let sorted = expected.sorted { $0.note > $1.note }
          #expect(found == Array(sorted.dropFirst().prefix(4)), "plan \(plan)")
        }
        try store.read { tx in
          let table = try tx.catalog.table(of: Cell._schema.erased)
          for plan in Plan.all(query.core, table, tx.catalog, for: .count) {
            #expect(try QueryRun(plan).count(in: tx.base) == expected.count, "\(plan.access)")
          }
        }
      }
    }
  }

  /// Entries have no checksum: one that leads to an object with other values is an error.
  @Test func aFalseEntryIsFoundByAnIntersectionToo() throws {
    try withTemporaryStore(of: Cell.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: Self.cells(100))
        let table = try tx.table(of: Cell._schema.erased)
        for index in table.entryIndexes.prefix(2) {
          try tx.flush(index)
          var key = _ByteBuffer()
          (index.names == ["row"] ? 3 : 5).appendKey(to: &key)
          50.appendKey(to: &key)
          var batch = try index.entries.beginBatch(deleting: 0, in: &tx.base)
          try unsafe batch.append(key.bytes, isDelete: false, to: &tx.base)
          try batch.finish(&tx.base)
        }
      }
      let query = Cell.where { $0.row == 3 && $0.column == 5 }
      try store.read { tx in
        let table = try tx.catalog.table(of: Cell._schema.erased)
        let plans = Plan.all(query.core, table, tx.catalog).filter {
          if case .intersection = $0.access { true } else { false }
        }
        #expect(plans.count == 1)
        for plan in plans {
          #expect(throws: StoreError.self) {
            try QueryRun(plan).forEach(in: tx.base) { _ in true }
          }
        }
      }
    }
  }
}
