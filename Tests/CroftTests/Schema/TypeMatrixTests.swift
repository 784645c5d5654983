import Croft
import Foundation
import Testing

private enum SmallGrade: Int8, StoredEnum { case none, some }
private enum WideGrade: Int64, StoredEnum { case none, some, more }
private enum TextGrade: String, StoredEnum { case none = "", some }

/// Values of a type, the types that it becomes by itself, and what a change to it does.
private struct Form: Sendable, CustomTestStringConvertible {
  let name: String
  /// The family of types whose bytes are the same.
  let family: String
  /// The families that this one becomes by itself; its optional is always one.
  let widensTo: [String]
  let write: @Sendable (URL) throws -> [StoredValue]
  /// Opens the store with some migrations, and gives what it holds.
  let open: @Sendable (URL, [Migration]) throws -> [StoredValue]
  let openOptional: @Sendable (URL) throws -> [StoredValue]
  /// A migration that fills in the first value, and what the store then holds for each object.
  let remedy: Migration
  let filled: StoredValue

  var testDescription: String { name }

  init<V: Storable & Hashable>(_ family: String, _ values: [V], to widensTo: [String] = []) {
    name = "\(V.self)"
    self.family = family
    self.widensTo = widensTo
    let objects = values.enumerated().map { Box(id: $0.offset, value: $0.element) }
    write = { url in
      try Store.open(at: url, models: Box<V>.self, options: .forTests)
        .write { try $0.insert(contentsOf: objects) }
      return values.map(\.stored)
    }
    open = { url, migrations in
      let store = try Store.open(
        at: url, models: Box<V>.self, options: .forTests, migrations: migrations)
      #expect(try store.verify().isSound)
      return try store.fetch(Box<V>.all).map(\.value.stored)
    }
    openOptional = { url in
      let store = try Store.open(at: url, models: Box<V?>.self, options: .forTests)
      try store.write { try $0.insert(Box<V?>(id: 1_000, value: nil)) }
      let read = try store.fetch(Box<V?>.all)
      #expect(read.last?.value == nil)
      return read.dropLast().map(\.value.stored)
    }
    let first = values[0]
    remedy = .convert(\Box<V>.value) { old, new in
      _ = try old.value("value")
      new?.value = first
    }
    filled = first.stored
  }

  func becomes(_ other: Form) -> Bool {
    family == other.family || widensTo.contains(other.family)
  }
}

/// Types other than plain numbers and texts: `ChangeMatrixTests` has those.
@Suite(.keepsFailedStores) struct TypeMatrixTests {
  private static let forms = [
    Form("[int32]", [[1, -1] as [Int32], []]), Form("[int]", [[1, -1], []]),
    Form("[int?]", [[1, nil], []] as [[Int?]]), Form("{int}", [[1, 2], []] as [Set<Int>]),
    Form("[:int]", [["a": 1, "e\u{301}": 2], [:]]),
    Form("[:int?]", [["a": 1, "b": nil]] as [[String: Int?]]),
    Form("[float]", [[1.5]] as [[Float]]), Form("[double]", [[1.5, .infinity]] as [[Double]]),
    Form("[string]", [["a", ""], []]), Form("[uuid]", [[UUID()]]),
    Form("[bool]", [[true, false]]), Form("[data]", [[Data([1]), Data()]]),
    Form("[decimal]", [[1.25]] as [[Decimal]]), Form("[int8]", [[SmallGrade.some]]),
    Form("decimal", [1.25, -3, 0] as [Decimal]),
    Form("text", ["", "a", "https://example.org/a"]),
    Form("text", [URL(string: "https://example.org/a"), URL(string: "a")].compactMap { $0 }),
    Form("text", [TextGrade.none, .some]),
    Form("bytes", [Data(), Data([0, 255])]), Form("bytes", [[UInt8]](arrayLiteral: [1, 0], [])),
    Form("int8", [SmallGrade.none, .some], to: ["int64"]), Form("int64", [WideGrade.none, .some]),
    Form("int64", [0, 1]), Form("date", [Date(timeIntervalSinceReferenceDate: 1)]),
  ]

  @Test(arguments: forms, forms)
  fileprivate func aTypeBecomesAnotherByItselfOrThroughTheMigrationThatTheErrorNames(
    from: Form, to: Form
  ) throws {
    try withTemporaryStore(of: Box<Int>.self, checksAtEnd: false) { temporary in
      let written = try from.write(temporary.url)
      let before = try Data(contentsOf: temporary.url)
      if from.becomes(to) {
        // A text need not be a URL, nor one of an enum's cases: the value tells.
        guard from.name == to.name || from.family != "text" else { return }
        #expect(try to.open(temporary.url, []) == written)
        return
      }
      let error = StoreError.thrown { _ = try to.open(temporary.url, []) }
      guard case .schemaMismatch("Box", "value", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(reason.contains("migrations: [.convert(\\Box.value)"))
      #expect(try Data(contentsOf: temporary.url) == before)
      #expect(try from.open(temporary.url, []) == written)
      try expectRemedy(to, temporary.url, count: written.count)
    }
  }

  @Test(arguments: forms)
  fileprivate func aTypeBecomesOptionalByItselfAndKeepsItsValues(form: Form) throws {
    try withTemporaryStore(of: Box<Int>.self, checksAtEnd: false) { temporary in
      let written = try form.write(temporary.url)
      #expect(try form.openOptional(temporary.url) == written)
      // Without a default nil has no value to be read as, and there is one nil now.
      let error = StoreError.thrown { _ = try form.open(temporary.url, []) }
      guard case .schemaMismatch("Box", "value", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(reason.contains("give the property a default"))
      try expectRemedy(form, temporary.url, count: written.count + 1)
    }
  }

  /// The migration fills in every value; a type without an empty value asks for a default first.
  private func expectRemedy(_ form: Form, _ url: URL, count: Int) throws {
    guard form.name == "URL" else {
      #expect(try form.open(url, [form.remedy]) == Array(repeating: form.filled, count: count))
      return
    }
    let error = StoreError.thrown { _ = try form.open(url, [form.remedy]) }
    guard case .schemaMismatch("Box", "value", let reason) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(reason.contains("give it a default where its type has no zero"), "\(reason)")
  }

  @Test func aTextThatIsNoCaseOrURLIsRefusedWhereItIsRead() throws {
    try withTemporaryStore(of: Box<String>.self) { temporary in
      try temporary.open().write { tx in
        try tx.insert(contentsOf: [Box(id: 7, value: "elsewhere"), Box(id: 8, value: "")])
      }
      func expectRefusal<V: Storable & Hashable>(of type: V.Type, naming words: [String]) throws {
        let store = try Store.open(at: temporary.url, models: Box<V>.self, options: .forTests)
        let error = StoreError.thrown { _ = try store.fetch(Box<V>.all) }
        guard case .schemaMismatch("Box", "value", let reason) = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
        for word in words { #expect(reason.contains(word), "\(reason)") }
        #expect(try store.count(Box<V>.all) == 2)
      }
      try expectRefusal(of: TextGrade.self, naming: ["key 7", "elsewhere", "TextGrade"])
      try expectRefusal(of: URL.self, naming: ["key 8", "URL", "declare a String"])
    }
  }

  @Test func aCaseIsAddedAndAnOlderProgramNamesWhatItDoesNotKnow() throws {
    try withTemporaryStore(of: Box<WideGrade>.self) { temporary in
      func older() throws -> Store {
        try Store.open(at: temporary.url, models: Box<SmallGrade>.self, options: .forTests)
      }
      try older().write { try $0.insert(Box(id: 1, value: SmallGrade.some)) }
      try temporary.open().write { try $0.insert(Box(id: 2, value: WideGrade.more)) }
      #expect(try temporary.open().fetch(Box<WideGrade>.all).map(\.value) == [.some, .more])
      // The raw type was widened: a narrower one is refused at once.
      guard case .schemaMismatch("Box", "value", _) = StoreError.thrown(by: { _ = try older() })
      else {
        Issue.record("it was opened")
        return
      }
    }
  }
}
