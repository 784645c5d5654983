import Foundation
import Testing

@testable import Croft

// A property whose values are unique, optional and required.

enum TagOptional {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Indexed(.unique) var code: String?
  }
}
enum TagRequired {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Indexed(.unique) var code: String = "none"
  }
}
/// The values need no longer be unique.
enum TagLoose {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    @Indexed var code: String = "none"
  }
}
/// They were not unique before.
enum TagLooseOptional {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    var code: String?
  }
}
enum PairOptional {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    var code: String?
    var place: Int
    #Unique<Item>([\.code, \.place])
  }
}
enum PairRequired {
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    var code: String = "none"
    var place: Int
    #Unique<Item>([\.code, \.place])
  }
}
enum InnerOptional {
  @Embedded struct Tag: Hashable { var code: String }
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    var tag: Tag?
    #Unique<Item>([\.tag.code])
  }
}
enum InnerRequired {
  @Embedded struct Tag: Hashable { var code: String = "none" }
  @Model struct Item: Hashable {
    @PrimaryKey var id: Int
    var tag: Tag
    #Unique<Item>([\.tag.code])
  }
}

/// Objects without a value clash with nobody, and with one another where a program must read the
/// nils as one default: every write of that program threw, and so did the remedy.
@Suite(.keepsFailedStores) struct UniqueRequiredTests {
  private func open(
    _ url: URL, _ model: any Model.Type, _ migrations: [Migration] = []
  ) throws -> Store {
    try Store.open(at: url, models: model, options: .forTests, migrations: migrations)
  }

  /// Expects the refusal that names the migration to write.
  private func expectRefusal(_ field: String, by body: () throws -> Void) {
    let error = StoreError.thrown(by: body)
    guard case .schemaMismatch("Item", field, let reason) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    for words in [
      "unique", "Store.open(at:models:migrations: [.convert(\\Item.\(field))",
    ] { #expect(reason.contains(words), "\(reason)") }
  }

  private func fillOptional(_ url: URL) throws -> Store {
    let old = try open(url, TagOptional.Item.self)
    try old.write { tx in
      for id in 1...2 { try tx.insert(TagOptional.Item(id: id, code: nil)) }
      try tx.insert(TagOptional.Item(id: 3, code: "c"))
    }
    return old
  }

  private var numbering: Migration {
    .convert(\TagRequired.Item.code) { old, new in
      let (id, code) = try (old["id", as: Int.self], old["code", as: String?.self])
      new?.code = code ?? "none \(id)"
    }
  }

  @Test func aProgramThatHasItOpenIsToldWhatToDoAndReadsNothingWrong() throws {
    try withTemporaryStore(of: TagRequired.Item.self) { temporary in
      let old = try open(temporary.url, TagOptional.Item.self)
      let new = try temporary.open()
      try old.write { tx in
        for id in 1...2 { try tx.insert(TagOptional.Item(id: id, code: nil)) }
      }
      for _ in 0..<2 {
        expectRefusal("code") { _ = try new.fetch(TagRequired.Item.all) }
        expectRefusal("code") { _ = try new.verify() }
        expectRefusal("code") { try new.rebuildIndexes() }
        expectRefusal("code") { try new.write { _ = try $0.delete(TagRequired.Item.self, 1) } }
        expectRefusal("code") { _ = try temporary.open() }
      }
      #expect(try old.fetch(TagOptional.Item.all).map(\.code) == [nil, nil])
      #expect(try old.verify().problems == [])
      let migrated = try open(temporary.url, TagRequired.Item.self, [numbering])
      // The refused one continues as well.
      for store in [migrated, new] {
        #expect(try store.fetch(TagRequired.Item.all).map(\.code) == ["none 1", "none 2"])
        #expect(try store.verify().problems == [])
      }
      try new.write { try $0.insert(TagRequired.Item(id: 4)) }
    }
  }

  @Test(arguments: [0, 1, 2])
  func itIsRefusedHoweverManyObjectsHaveNoValueAndAMigrationGivesThemOne(nils: Int) throws {
    try withTemporaryStore(of: TagRequired.Item.self) { temporary in
      let old = try open(temporary.url, TagOptional.Item.self)
      try old.write { tx in
        for id in 1...3 {
          try tx.insert(TagOptional.Item(id: id, code: id > nils ? "code \(id)" : nil))
        }
      }
      let before = try Data(contentsOf: temporary.url)
      expectRefusal("code") { _ = try temporary.open() }
      #expect(try Data(contentsOf: temporary.url) == before)
      try old.write { try $0.insert(TagOptional.Item(id: 4, code: nil)) }
      do {
        let store = try open(temporary.url, TagRequired.Item.self, [numbering])
        #expect(try Set(store.fetch(TagRequired.Item.all).map(\.code)).count == 4)
      }
      // The older program may come back and leave values out: the migration then runs again.
      #expect(try temporary.open().count(TagRequired.Item.all) == 4)
      let back = try open(temporary.url, TagOptional.Item.self)
      try back.write { tx in
        for id in 5...6 { try tx.insert(TagOptional.Item(id: id, code: nil)) }
      }
      expectRefusal("code") { _ = try temporary.open() }
      let store = try open(temporary.url, TagRequired.Item.self, [numbering])
      #expect(try store.fetch(TagRequired.Item.where { $0.code == "none 6" }).map(\.id) == [6])
      #expect(try store.verify().problems == [])
    }
  }

  @Test func aProgramThatEndsTheConstraintOpens() throws {
    try withTemporaryStore(of: TagLoose.Item.self) { temporary in
      let old = try fillOptional(temporary.url)
      let loose = try temporary.open()
      #expect(try loose.fetch(TagLoose.Item.where { $0.code == "none" }).map(\.id) == [1, 2])
      try loose.write { _ = try $0.update(TagLoose.Item.self, 1) { $0.code = "c" } }
      #expect(try old.fetch(TagOptional.Item.all).map(\.code) == ["c", nil, "c"])
      #expect(try loose.verify().problems == [])
    }
  }

  @Test func aNewConstraintOnAPropertyThatBecomesRequiredIsRefusedAsWell() throws {
    try withTemporaryStore(of: TagRequired.Item.self) { temporary in
      try open(temporary.url, TagLooseOptional.Item.self).write { tx in
        for id in 1...2 { try tx.insert(TagLooseOptional.Item(id: id, code: nil)) }
      }
      expectRefusal("code") { _ = try temporary.open() }
      // A program that has read nil as the default for a while does not change that.
      _ = try open(temporary.url, TagLoose.Item.self)
      expectRefusal("code") { _ = try temporary.open() }
      let store = try open(temporary.url, TagRequired.Item.self, [numbering])
      #expect(try store.fetch(TagRequired.Item.all).map(\.code) == ["none 1", "none 2"])
    }
  }

  @Test func aPartOfACompoundConstraintIsNoOther() throws {
    try withTemporaryStore(of: PairRequired.Item.self) { temporary in
      let old = try open(temporary.url, PairOptional.Item.self)
      let early = try temporary.open()
      try old.write { tx in
        for id in 1...2 { try tx.insert(PairOptional.Item(id: id, code: nil, place: 1)) }
      }
      expectRefusal("code") { try early.write { _ = try $0.delete(PairRequired.Item.self, 1) } }
      expectRefusal("code") { _ = try temporary.open() }
      let store = try open(
        temporary.url, PairRequired.Item.self,
        [
          .convert(\PairRequired.Item.code) { old, new in
            new?.code = "none \(try old["id", as: Int.self])"
          }
        ])
      #expect(try store.fetch(PairRequired.Item.all).map(\.code) == ["none 1", "none 2"])
    }
  }

  @Test func aPropertyOfAStructThatBecomesRequiredIsNoOther() throws {
    try withTemporaryStore(of: InnerRequired.Item.self) { temporary in
      let old = try open(temporary.url, InnerOptional.Item.self)
      let early = try temporary.open()
      try old.write { tx in
        for id in 1...2 { try tx.insert(InnerOptional.Item(id: id, tag: nil)) }
      }
      expectRefusal("tag.code") { _ = try early.fetch(InnerRequired.Item.all) }
      expectRefusal("tag.code") { _ = try temporary.open() }
      let store = try open(
        temporary.url, InnerRequired.Item.self,
        [
          .convert(\InnerRequired.Item.tag.code) { old, new in
            new?.tag.code = "none \(try old["id", as: Int.self])"
          }
        ])
      #expect(try store.fetch(InnerRequired.Item.all).map(\.tag.code) == ["none 1", "none 2"])
      #expect(try old.fetch(InnerOptional.Item.all).map(\.tag?.code) == ["none 1", "none 2"])
    }
  }

  @Test func aConstraintThatIsNewAndDoesNotHoldIsNamedWithWhatToDo() throws {
    try withTemporaryStore(of: TagLooseOptional.Item.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        for id in 1...2 { try tx.insert(TagLooseOptional.Item(id: id, code: "same")) }
      }
      for _ in 0..<2 {
        let error = StoreError.thrown { _ = try open(temporary.url, TagOptional.Item.self) }
        guard case .schemaMismatch("Item", "code", let reason) = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
        for words in [
          "unique", "Item 2", "Item 1", "without", "migrations: [Migration(\"…\", Item.self)",
        ] { #expect(reason.contains(words), "\(reason)") }
      }
      // What it says helps.
      let migrated = try open(
        temporary.url, TagOptional.Item.self,
        [
          Migration("codes", TagOptional.Item.self) { _, new in
            if new?.id == 2 { new?.code = nil }
          }
        ])
      #expect(try migrated.fetch(TagOptional.Item.all).map(\.code) == ["same", nil])
    }
  }
}
