import Croft
import TestSupport
import Testing

@Model struct Twig: Hashable {
  @PrimaryKey var id: Int
  @Indexed var color: Int
  var text: String
  var others: [Ref<Twig>] = []
}

/// Reads that end between two rows, because their program wants no more.
@Suite struct ReadProgressTests {
  private struct Enough: Error {}

  /// Queries that read each row of 3,000 by other ways, and pass none of them on before the last.
  private static let texts = [
    "Twig where text == \"none\"", "Twig sort by text limit 5", "Twig where color < 5 sort by id",
    "Twig where color > 0 and text == \"none\" sort by color", "Twig where color < 2 or id > 2000",
    "Twig select color, count group by color", "Twig distinct by text",
  ]

  private func withLeaves(_ body: (Store) throws -> Void) throws {
    try withTemporaryStore(of: Twig.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        for id in 0..<3_000 {
          try tx.insert(Twig(id: id, color: id % 7, text: "leaf \(id % 100)"))
        }
      }
      try body(store)
    }
  }

  @Test(arguments: texts) func aQueryEndsWhereItIsStopped(text: String) throws {
    try withLeaves { store in
      // The first fetch also reads the catalog.
      let expected = try store.fetch(DynamicQuery(text))
      var calls = 0
      let all = try store.read(onProgress: { calls += 1 }) { try $0.fetch(DynamicQuery(text)) }
      #expect(all == expected, "\(text)")
      // Once for each block of rows at least.
      #expect(calls > 5, "\(text)")
      for last in [1, calls / 2, calls] {
        var count = 0
        #expect(throws: Enough.self, "\(text)") {
          try store.read(onProgress: {
            count += 1
            if count == last { throw Enough() }
          }) { _ = try $0.fetch(DynamicQuery(text)) }
        }
        #expect(count == last, "\(text)")
      }
    }
  }

  @Test func aCountEndsWhereItIsStopped() throws {
    try withLeaves { store in
      #expect(throws: Enough.self) {
        try store.read(onProgress: { throw Enough() }) {
          _ = try $0.count(Twig.where { $0.text == "none" })
        }
      }
    }
  }

  /// Each level of the condition multiplies the work by forty: nobody can wait for the end.
  @Test func aConditionOfOneRowEndsWhereItIsStopped() throws {
    try withTemporaryStore(of: Twig.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        for id in 0..<40 { try tx.insert(Twig(id: id, color: 0, text: "")) }
        let others = (0..<40).map { Ref<Twig>($0) }
        for id in 0..<40 {
          try tx.upsert(Twig(id: id, color: 0, text: "", others: others))
        }
      }
      let depth = 8
      let condition =
        String(repeating: "Twig.others any (", count: depth) + "id < 0"
        + String(repeating: ")", count: depth)
      var calls = 0
      #expect(throws: Enough.self) {
        try store.read(onProgress: {
          calls += 1
          if calls == 10_000 { throw Enough() }
        }) { _ = try $0.fetch(DynamicQuery("Twig where " + condition)) }
      }
      #expect(calls == 10_000)
    }
  }
}
