import Croft
import Foundation
import TestSupport
import Testing

@Model struct Twig: Hashable {
  @PrimaryKey var id: Int
  @Indexed var color: Int
  var text: String
  var others: [Ref<Twig>] = []
}

/// A model whose index for searches takes the most of a check.
@Model struct Leaflet: Hashable {
  @PrimaryKey var id: Int
  var text: String
  #FullText<Leaflet>([\.text])
}

@Model struct Shrub: Hashable {
  @PrimaryKey var id: Int
}

/// What goes with a shrub, and what loses its reference to it.
@Model struct Berry: Hashable {
  @PrimaryKey var id: Int
  @Indexed var color: Int
  @Relation(onDelete: .cascade) var shrub: Ref<Shrub>?
  @Relation(onDelete: .nullify) var last: Ref<Shrub>?
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

  /// Entries of an index, and keys, were counted to the end.
  @Test func aCountOfARangeEndsWhereItIsStopped() throws {
    try withTemporaryStore(of: Twig.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: (0..<20_000).map { Twig(id: $0, color: $0 % 7, text: "") })
      }
      let byIndex = Twig.where { $0.color > 0 }
      for (query, expected) in [(byIndex, 17_142), (Twig.where { $0.id >= 100 }, 19_900)] {
        var calls = 0
        let count = try store.read(onProgress: { calls += 1 }) { try $0.count(query) }
        #expect(count == expected)
        #expect(calls > expected / 1_000, "\(expected)")
        // It is asked for each block, and not for each row.
        #expect(calls < expected / 20, "\(expected)")
        for last in [2, calls / 2, calls] {
          var asked = 0
          #expect(throws: Enough.self) {
            try store.read(onProgress: {
              asked += 1
              if asked == last { throw Enough() }
            }) { _ = try $0.count(query) }
          }
          #expect(asked == last)
        }
        // The rows that the transaction has changed are counted one by one.
        try store.write(onProgress: { calls += 1 }) { tx in
          try tx.insert(Twig(id: 20_000, color: 3, text: ""))
          calls = 0
          #expect(try tx.count(query) == expected + 1)
          #expect(calls > expected / 1_000 && calls < expected / 20)
          try tx.delete(Twig.self, 20_000)
        }
        var isEnding = false
        try store.write(onProgress: { if isEnding { throw Enough() } }) { tx in
          try tx.insert(Twig(id: 20_001, color: 3, text: ""))
          isEnding = true
          #expect(throws: Enough.self) { try tx.count(query) }
          isEnding = false
          try tx.delete(Twig.self, 20_001)
        }
      }
      #expect(try store.verify().isSound)
    }
  }

  @Test func aCopyAndACheckTellHowFarTheyAreAndEnd() throws {
    try withLeaves { store in
      let folder = TemporaryFolder()
      let url = folder.url.appending(path: "copy.croft")
      for isCompacting in [false, true] {
        func copy(_ progress: (CopyProgress) throws -> Void) throws {
          if isCompacting { return try store.compact(to: url, progress: progress) }
          try store.backup(to: url, progress: progress)
        }
        #expect(throws: Enough.self) { try copy { _ in throw Enough() } }
        #expect(throws: StoreError.nestedWrite) { try copy { _ in throw StoreError.nestedWrite } }
        #expect(!FileManager.default.fileExists(atPath: url.path))
        var seen: [CopyProgress] = []
        try copy { seen.append($0) }
        #expect(!seen.isEmpty && seen.map(\.bytesCopied) == seen.map(\.bytesCopied).sorted())
        #expect(seen.allSatisfy { 0...$0.bytes ~= $0.bytesCopied && $0.bytes > 100_000 })
        #expect(try Store.open(at: url, models: Twig.self).count(Twig.all) == 3_000)
        try FileManager.default.removeItem(at: url)
      }
      var rows: [Int] = []
      let result = try store.verify { rows.append($0.rows + $0.indexEntries) }
      #expect(result.isSound && result.rows == 3_000)
      #expect(rows.count > 10 && rows == rows.sorted() && rows.last ?? 0 > result.rows)
      #expect(throws: Enough.self) { try store.verify { if $0.rows > 1_000 { throw Enough() } } }
    }
  }

  /// The closure was called once for an index for searches, which then was checked to the end.
  @Test func aCheckOfAnIndexForSearchesEndsWhereItIsStopped() throws {
    try withTemporaryStore(of: Leaflet.self) { temporary in
      let store = try temporary.open()
      for start in [0, 1_500] {
        try store.write { tx in
          try tx.insert(
            contentsOf: (start..<start + 1_500).map { Leaflet(id: $0, text: "leaf \($0 % 100)") })
        }
      }
      var calls = 0
      let result = try store.verify { if $0.rows == 3_000 { calls += 1 } }
      #expect(result.isSound && result.rows == 3_000)
      // Once for each block of rows, which are read again, at least.
      #expect(calls > 5)
      for last in [1, calls / 2, calls] {
        var count = 0
        #expect(throws: Enough.self) {
          try store.verify {
            if $0.rows == 3_000 { count += 1 }
            if count == last { throw Enough() }
          }
        }
        #expect(count == last)
      }
      var all = 0
      _ = try store.verify(onProgress: { all += 1 })
      #expect(all > calls)
    }
  }

  /// Such an error was reported as damage, or broke the transaction.
  @Test func anErrorOfTheClosureIsKeptThoughItLooksLikeTheStores() throws {
    try withLeaves { store in
      let mine = StoreError.corrupt(model: "Mine", key: nil, reason: "not of the store")
      func expectMine(_ body: () throws -> Void) {
        let error = #expect(throws: StoreError.self) { try body() }
        guard case .corrupt("Mine", nil, "not of the store")? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      expectMine { _ = try store.verify(onProgress: { throw mine }) }
      for text in Self.texts {
        let query = try DynamicQuery(text)
        expectMine { try store.read(onProgress: { throw mine }) { _ = try $0.fetch(query) } }
      }
      var isEnding = false
      func end() throws { if isEnding { throw mine } }
      try store.write(onProgress: end) { tx in
        isEnding = true
        expectMine { _ = try tx.fetch(Twig.where { $0.text == "none" }) }
        expectMine { _ = try tx.count(Twig.where { $0.text == "none" }) }
        expectMine { _ = try tx.delete(Twig.where { $0.text == "leaf 3" }) }
        expectMine { _ = try tx.delete(Twig.self, 3) }
        isEnding = false
        // The transaction stays usable, and is committed.
        try tx.insert(Twig(id: 9_999, color: 1, text: "after"))
      }
      #expect(try store.count(Twig.all) == 3_001)
      #expect(try store.verify().isSound)
    }
  }

  /// The rows are compared some hundred thousand times, and none is passed on before the last.
  @Test func aSortEndsWhereItIsStopped() throws {
    try withTemporaryStore(of: Twig.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<20_000).map {
            Twig(id: $0, color: 0, text: "\($0 * 7_919 % 20_000)")
          })
      }
      let query = try DynamicQuery("Twig sort by text")
      var calls = (all: 0, unsorted: 0)
      let sorted = try store.read(onProgress: { calls.all += 1 }) { try $0.fetch(query) }
      let unsorted = try DynamicQuery("Twig")
      _ = try store.read(onProgress: { calls.unsorted += 1 }) { try $0.fetch(unsorted) }
      #expect(calls.all > calls.unsorted)
      let texts = try sorted.map { try $0["text", as: String.self] }
      #expect(texts == (0..<20_000).map(\.description).sorted())
      #expect(throws: Enough.self) {
        var count = 0
        try store.read(onProgress: {
          count += 1
          if count > calls.unsorted { throw Enough() }
        }) { _ = try $0.fetch(query) }
      }
    }
  }

  /// A statement that is stopped has changed nothing, whatever the transaction does with its error.
  @Test(
    arguments: [
      "update Twig where text == \"leaf 3\" set color = 9", "update Twig set text = \"new\"",
      "delete Twig where text != \"leaf 3\"", "delete Twig where color == 1", "delete Twig",
    ])
  func aStatementEndsWhereItIsStopped(text: String) throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "twigs.croft")
    try Store.open(at: url, models: Twig.self).write { tx in
      for id in 0..<3_000 {
        let others: [Ref<Twig>] = id.isMultiple(of: 50) ? [Ref(id / 2)] : []
        try tx.insert(Twig(id: id, color: id % 7, text: "leaf \(id % 100)", others: others))
      }
    }
    var options = Store.Options()
    options.usesStoredModels = true
    let store = try Store.open(at: url, models: [], options: options)
    let statement = try DynamicStatement(text)
    let all = try DynamicQuery("Twig")
    let before = try store.fetch(all)
    var calls = 0
    #expect(throws: Enough.self) {
      try store.write(onProgress: { calls += 1 }) { tx in
        try tx.perform(statement)
        throw Enough()
      }
    }
    #expect(calls > 2, "\(text)")
    for last in [1, 2, calls / 2, calls] {
      var count = 0
      func stop() throws {
        count += 1
        if count == last { throw Enough() }
      }
      #expect(throws: Enough.self, "\(text)") {
        try store.write(onProgress: stop) { _ = try $0.perform(statement) }
      }
      #expect(try store.fetch(all) == before)
      count = 0
      // The transaction stays usable, and commits what it does afterwards.
      let inserted = try DynamicStatement("insert Twig {id: 9999, color: 1, text: \"after\"}")
      try store.write(onProgress: stop) { tx in
        #expect(throws: Enough.self) { _ = try tx.perform(statement) }
        _ = try tx.perform(inserted)
      }
      #expect(try store.count(all) == before.count + 1)
      #expect(try store.verify().isSound)
      try store.write { _ = try $0.perform(DynamicStatement("delete Twig where id == 9999")) }
    }
    try store.write { _ = try $0.perform(statement) }
    #expect(try store.verify().isSound)
  }

  /// A delete by key wrote what it had reached.
  @Test func aDeleteOfOneObjectEndsWithNothingChanged() throws {
    try withTemporaryStore(of: Shrub.self, Berry.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: [Shrub(id: 1), Shrub(id: 2)])
        for id in 0..<40 {
          let (own, last) = (id.isMultiple(of: 2) ? Ref<Shrub>(1) : nil, Ref<Shrub>(1))
          try tx.insert(Berry(id: id, color: id % 3, shrub: own, last: last))
        }
      }
      let before = try store.fetch(Berry.all)
      var calls = 0
      #expect(throws: Enough.self) {
        try store.write(onProgress: { calls += 1 }) { tx in
          try tx.delete(Shrub.self, 1)
          throw Enough()
        }
      }
      #expect(calls > 40)
      for last in 1...calls {
        var count = 0
        try store.write(onProgress: {
          count += 1
          if count == last { throw Enough() }
        }) { tx in
          #expect(throws: Enough.self) { try tx.delete(Shrub.self, 1) }
          try tx.upsert(Shrub(id: 3))
        }
        #expect(try store.fetch(Berry.all) == before, "stopped at \(last)")
        #expect(try store.count(Shrub.all) == 3)
        #expect(try store.verify().isSound, "stopped at \(last)")
      }
      try store.write { _ = try $0.delete(Shrub.self, 1) }
      #expect(
        try store.fetch(Berry.all)
          == before.filter { $0.shrub == nil }.map { berry in
            Berry(id: berry.id, color: berry.color, shrub: nil, last: nil)
          })
      #expect(try store.verify().isSound)
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
