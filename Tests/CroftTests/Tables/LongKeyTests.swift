import Croft
import Testing

@Model private struct Titled: Hashable {
  @PrimaryKey var name: String
  var rank = 0
  var next: Ref<Titled>?
}

@Suite struct LongKeyTests {
  private static let long = String(repeating: "k", count: 5_000)

  @Test func aKeyLongerThanAnyIsAskedForLikeOthersAndFoundNowhere() throws {
    let long = Self.long
    let store = try Store.inMemory(models: Titled.self)
    try store.write { tx in
      try tx.insert(Titled(name: "a"))
      #expect(try tx.get(Titled.self, long) == nil)
      #expect(try !tx.delete(Titled.self, long))
      #expect(try tx.update(Titled.self, long) { $0.rank = 1 } == nil)
      #expect(try tx.count(Titled.where { $0.name == long || $0.name.hasPrefix(long) }) == 0)
      #expect(try tx.count(Titled.where { $0.name.in([long, "a"]) }) == 1)
      #expect(try tx.count(Titled.where { $0.name < long }) == 1)
      #expect(try tx.count(Titled.where { $0.next == Ref(long) }) == 0)
    }
  }

  @Test(arguments: [false, true])
  func aReferenceToAKeyLongerThanAnyNamesTheObjectThatHoldsIt(many: Bool) throws {
    let store = try Store.inMemory(models: Titled.self)
    try store.write { tx in
      let object = Titled(name: "b", next: Ref(Self.long))
      let error = #expect(throws: StoreError.self) {
        if many { try tx.insert(contentsOf: [object]) } else { try tx.insert(object) }
      }
      guard case .danglingReference("Titled", "next", "\"b\"", _) = error else {
        Issue.record("It gave \(String(describing: error)).")
        return
      }
      let count = try tx.count(Titled.all)
      #expect(count == 0)
    }
  }
}
