import Foundation
import Testing

@testable import Croft

// A property that was required with a default, became optional, and is required again.

enum CodeA {
  @Model struct Part: Hashable {
    @PrimaryKey var id: Int
    @Indexed var code: String = "a"
  }
}
enum CodeOptional {
  @Model struct Part: Hashable {
    @PrimaryKey var id: Int
    @Indexed var code: String?
  }
}
enum CodeOptionalX {
  @Model struct Part: Hashable {
    @PrimaryKey var id: Int
    @Indexed var code: String? = "x"
  }
}
enum CodeB {
  @Model struct Part: Hashable {
    @PrimaryKey var id: Int
    @Indexed var code: String = "b"
  }
}
enum CodeC {
  @Model struct Part: Hashable {
    @PrimaryKey var id: Int
    @Indexed var code: String = "c"
    var more = 0
  }
}
enum CodeBare {
  @Model struct Part: Hashable {
    @PrimaryKey var id: Int
    @Indexed var code: String
  }
}
enum CodeNone {
  @Model struct Part: Hashable { @PrimaryKey var id: Int }
}

/// A nil was read as the default of a program before the one that made it a nil.
@Suite(.keepsFailedStores) struct FormerDefaultTests {
  private func open(
    _ temporary: TemporaryStore, _ model: any Model.Type, _ migrations: [Migration] = []
  ) throws -> Store {
    try Store.open(
      at: temporary.url, models: model, options: .forTests, migrations: migrations)
  }

  /// Passes a store of one object with a code and one without, open with the optional property.
  private func withParts(_ body: (TemporaryStore, Store) throws -> Void) throws {
    try withTemporaryStore(of: CodeOptional.Part.self, checksAtEnd: false) { temporary in
      try open(temporary, CodeA.Part.self).write { try $0.insert(CodeA.Part(id: 1, code: "one")) }
      let store = try temporary.open()
      try store.write { try $0.insert(CodeOptional.Part(id: 2, code: nil)) }
      try body(temporary, store)
    }
  }

  private func codes<P: Model>(_ store: Store, _ query: Query<P>, _ code: (P) -> String)
    throws -> [String]
  { try store.fetch(query).map(code) }

  @Test(arguments: [false, true])
  func nilIsReadAsTheDefaultThatIsDeclaredNow(oldestReturnsFirst: Bool) throws {
    try withParts { temporary, optional in
      if oldestReturnsFirst {
        let oldest = try open(temporary, CodeA.Part.self)
        #expect(try codes(oldest, CodeA.Part.all, \.code) == ["one", "a"])
        #expect(try oldest.fetch(CodeA.Part.where { $0.code == "a" }).map(\.id) == [2])
        try oldest.write { try $0.insert(CodeA.Part(id: 3, code: "three")) }
      }
      let rest = oldestReturnsFirst ? ["three"] : []
      for _ in 0..<2 {
        let store = try open(temporary, CodeB.Part.self)
        #expect(try codes(store, CodeB.Part.all, \.code) == ["one", "b"] + rest)
        #expect(try store.fetch(CodeB.Part.where { $0.code == "b" }).map(\.id) == [2])
        #expect(try store.count(CodeB.Part.where { $0.code == "a" }) == 0)
        #expect(try store.verify().problems == [])
      }
      // The others continue, at once and opened again.
      #expect(try optional.get(CodeOptional.Part.self, 2)?.code == nil)
      for _ in 0..<2 {
        let oldest = try open(temporary, CodeA.Part.self)
        #expect(try codes(oldest, CodeA.Part.all, \.code) == ["one", "b"] + rest)
        try oldest.write { _ = try $0.update(CodeA.Part.self, 1) { $0.code = "one" } }
        #expect(try oldest.verify().problems == [])
        #expect(try temporary.open().fetch(CodeOptional.Part.all).map(\.code)[1] == nil)
      }
      // The stored default stays, whatever a later program's default is.
      let later = try open(temporary, CodeC.Part.self)
      #expect(try codes(later, CodeC.Part.all, \.code) == ["one", "b"] + rest)
      #expect(
        try codes(try open(temporary, CodeBare.Part.self), CodeBare.Part.all, \.code)
          == ["one", "b"] + rest)
    }
  }

  @Test func withoutADefaultItIsRefusedAndAMigrationSaysWhatNilBecomes() throws {
    try withParts { temporary, optional in
      let before = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown { _ = try open(temporary, CodeBare.Part.self) }
      guard case .schemaMismatch("Part", "code", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      for words in ["give the property a default", "[.convert(\\Part.code)"] {
        #expect(reason.contains(words), "\(reason)")
      }
      #expect(try Data(contentsOf: temporary.url) == before)
      #expect(try optional.fetch(CodeOptional.Part.all).map(\.code) == ["one", nil])
      #expect(
        try codes(try open(temporary, CodeA.Part.self), CodeA.Part.all, \.code) == ["one", "a"])
      let store = try open(
        temporary, CodeBare.Part.self,
        [
          .convert(\CodeBare.Part.code) { old, new in
            // What no program's default is any more is not what it starts as.
            if try old["code", as: String?.self] == nil { #expect(new?.code == "") }
            new?.code = try old["code", as: String?.self] ?? "filled"
          }
        ])
      #expect(try codes(store, CodeBare.Part.all, \.code) == ["one", "filled"])
      #expect(try store.verify().problems == [])
      #expect(
        try codes(try open(temporary, CodeA.Part.self), CodeA.Part.all, \.code)
          == ["one", "filled"])
    }
  }

  @Test func aDefaultOfTheOptionalPropertyIsForInsertsAndNotForNil() throws {
    try withTemporaryStore(of: CodeOptionalX.Part.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(CodeOptionalX.Part(id: 1, code: nil)) }
      _ = try open(temporary, CodeNone.Part.self)
      guard
        case .schemaMismatch("Part", "code", _) =
          StoreError.thrown(by: { _ = try open(temporary, CodeBare.Part.self) })
      else {
        Issue.record("another error")
        return
      }
      let store = try open(temporary, CodeB.Part.self)
      #expect(try codes(store, CodeB.Part.all, \.code) == ["b"])
      #expect(try store.verify().problems == [])
    }
  }

  @Test func withoutObjectsThereIsNoNilToRead() throws {
    try withTemporaryStore(of: CodeBare.Part.self) { temporary in
      for model in [CodeA.Part.self, CodeOptional.Part.self] as [any Model.Type] {
        _ = try open(temporary, model)
      }
      _ = try temporary.open()
    }
  }

  @Test func theDefaultIsAskedForOnceWhereNilIsReadAgain() throws {
    try withTemporaryStore(of: CodeOptional.Part.self, checksAtEnd: false) { temporary in
      for _ in 0..<2 {
        _ = try open(temporary, CodeA.Part.self)
        _ = try temporary.open().write { try $0.upsert(CodeOptional.Part(id: 2, code: nil)) }
        for _ in 0..<2 {
          let store = try open(temporary, CodeB.Part.self)
          #expect(try codes(store, CodeB.Part.all, \.code) == ["b"])
        }
      }
    }
  }
}
