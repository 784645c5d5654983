import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Croft

/// Walks along an index, whose codes of texts are truncated where they are long.
@Suite(.keepsFailedStores) struct IndexWalkerTests {
  enum Kind: String, StoredEnum { case food, rent }

  @Model struct Slip: Hashable {
    @PrimaryKey var id: Int
    @Indexed var kind = Kind.food
    @Indexed var text: String
    @Indexed var note: String?
    @Indexed(.unique) var receipt: String?
    @Indexed var number = 1
    #Index<Slip>([\.number, \.text])

    init(_ id: Int, _ text: String = "open") { (self.id, self.text) = (id, text) }
  }

  /// A page of objects with one text, enum or nil read all of them first, since a long text is truncated in an index.
  @Test func aLimitReadsNoMoreOfARunOfEqualTexts() throws {
    try withStore(of: Slip.self) { store in
      let slips = (0..<5_000).map { Slip($0) }
      try store.write { try $0.insert(contentsOf: slips) }
      let queries: [(Query<Slip>, from: Int)] = [
        (Slip.order(by: \.text).limit(5), 0), (Slip.order(by: \.kind).limit(5), 0),
        (Slip.order(by: \.note).limit(5), 0), (Slip.order(by: \.number, \.text).limit(5), 0),
        (Slip.where { $0.receipt.isNil }.limit(5), 0),
        (Slip.order(by: \.kind).page(after: slips[2_000], 5), 2_001),
        (Slip.where { $0.note.isNil }.page(after: slips[4_000], 5), 4_001),
        (Slip.where { $0.text == "open" }.order(by: \.number).page(after: slips[7], 5), 8),
      ]
      for (query, first) in queries {
        var calls = 0
        let found = try store.read(onProgress: { calls += 1 }) { tx in
          calls = 0
          return try tx.fetch(query)
        }
        #expect(found == Array(slips[first..<first + 5]), "\(query)")
        #expect(calls < 8, "\(query): \(calls)")
      }
    }
  }

  /// `first` sorted all rows where `limit(1)` read one entry of an index.
  @Test func theFirstObjectIsThatOfALimit() throws {
    try withStore(of: Slip.self) { store in
      let slips = (0..<3_000).map { Slip($0) }
      try store.write { try $0.insert(contentsOf: slips) }
      let told = Mutex<[QueryExplanation]>([])
      store.measure(slowQueriesFrom: .zero) { event in
        guard case .slowQuery(let explanation, _) = event else { return }
        told.withLock { $0.append(explanation) }
      }
      let ordered = Slip.order(by: \.number)
      for _ in 0..<3 { #expect(try store.first(ordered) == slips[0]) }
      #expect(try store.write { try $0.first(ordered) } == slips[0])
      #expect(told.withLock { $0.map(\.access) } == Array(repeating: .indexOrder, count: 4))
      // The kept plans of the query are not those of its first object.
      #expect(try store.fetch(ordered) == slips)
      #expect(try store.first(ordered) == slips[0])
      #expect(told.withLock { $0.map(\.limit).suffix(2) } == [nil, 1])
      #expect(try store.first(ordered.limit(0)) == nil)
      #expect(try store.first(ordered.limit(9, offset: 2_999)) == slips[2_999])
      #expect(try store.first(ordered.limit(9, offset: 3_000)) == nil)
      #expect(try store.first(ordered.distinct(by: \.kind).limit(9, offset: 1)) == nil)
    }
  }

  /// Truncated texts are sorted, and the others come as they are stored, between them.
  @Test func truncatedTextsAreSortedAmongOthers() throws {
    var random = SeededGenerator.forTest("IndexWalkerTests")
    let long = String(repeating: "m", count: 700)
    let texts = ["", "a", "m", "mm", long + "b", long + "a", long + "a" + long, "n", "z" + long]
    try withStore(of: Slip.self) { store in
      let slips = (0..<900).map { Slip($0, random.pick(texts)) }
      try store.write { try $0.insert(contentsOf: slips) }
      let sorted = slips.sorted { ($0.text, $0.id) < ($1.text, $1.id) }
      let backward = slips.sorted { $0.text == $1.text ? $0.id < $1.id : $0.text > $1.text }
      for _ in 0..<60 {
        let (offset, count) = (random.below(900), random.pick([1, 5, 64, 300]))
        for (query, expected) in [
          (Slip.order(by: \.text), sorted), (Slip.order(by: \.text.descending), backward),
          (Slip.order(by: \.number, \.text), sorted),
        ] {
          let rest = Array(expected.dropFirst(offset).prefix(count))
          #expect(try store.fetch(query.limit(count, offset: offset)) == rest, "\(query)")
          let last = offset == 0 ? nil : expected[offset - 1]
          #expect(try store.fetch(query.page(after: last, count)) == rest, "\(query)")
        }
      }
    }
  }
}
