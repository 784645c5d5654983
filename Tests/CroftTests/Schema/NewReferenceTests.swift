import Testing

@testable import Croft

/// A program before it had shelves.
enum WithoutShelves {
  @Model struct Volume: Hashable {
    @PrimaryKey var id: Int
    var title: String
  }
}

/// The same program, where a volume may be on a shelf.
enum WithShelves {
  @Model struct Volume: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var shelf: Ref<WithShelves.Shelf>?
  }

  @Model struct Shelf: Hashable {
    @PrimaryKey var id: Int
  }
}

struct NewReferenceTests {
  /// An old model that referred to a new one had to be named after it, or the opening threw that
  /// the store does not hold the new one.
  @Test func aModelMayReferToANewOneThatIsNamedBehindIt() throws {
    try withTemporaryStore(of: WithoutShelves.Volume.self) { temporary in
      _ = try temporary.open().write { try $0.insert(WithoutShelves.Volume(id: 1, title: "one")) }
      let store = try Store.open(
        at: temporary.url, models: WithShelves.Volume.self, WithShelves.Shelf.self,
        options: .forTests)
      #expect(try store.get(WithShelves.Volume.self, 1)?.shelf == nil)
      try store.write { tx in
        try tx.insert(WithShelves.Shelf(id: 7))
        try tx.update(WithShelves.Volume.self, 1) { $0.shelf = Ref(7) }
      }
      #expect(try store.count(WithShelves.Volume.where { $0.shelf == Ref(7) }) == 1)
      #expect(try store.verify().isSound)
    }
  }
}
