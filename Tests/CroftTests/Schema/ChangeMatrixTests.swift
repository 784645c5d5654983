import Croft
import Foundation
import Testing

/// Some values of a type, and what a change to another type does with them.
private struct Form: Sendable, CustomTestStringConvertible {
  let name: String
  /// Numbers of one family widen in this order; an unsigned one also into a wider signed one.
  let family: String
  let bits: Int
  /// Writes rows, and gives what they hold.
  let write: @Sendable (URL) throws -> [StoredValue]
  /// Opens the store, writes one row more, and gives what all rows hold.
  let change: @Sendable (URL) throws -> [StoredValue]
  let writeOptional: @Sendable (URL) throws -> [StoredValue]
  let changeToOptional: @Sendable (URL) throws -> [StoredValue]

  var testDescription: String { name }

  init<V: OrderedStorable & Hashable>(_ values: [V], _ family: String, _ bits: Int = 0) {
    name = "\(V.self)"
    self.family = family
    self.bits = bits
    write = { try Self.write(values, to: $0) }
    change = { try Self.change(values[0], at: $0) }
    writeOptional = { try Self.write(values.map { Optional($0) } + [nil], to: $0) }
    changeToOptional = { try Self.change(Optional(values[0]), at: $0) }
  }

  private static func write<V: IndexableStorable & Hashable>(
    _ values: [V], to url: URL
  ) throws -> [StoredValue] {
    let store = try Store.open(at: url, models: Cell<V>.self, options: .forTests)
    try store.write { tx in
      for (id, value) in values.enumerated() { try tx.insert(Cell(id: id, value: value)) }
    }
    return values.map(\.stored)
  }

  private static func change<V: IndexableStorable & Hashable>(
    _ value: V, at url: URL
  ) throws -> [StoredValue] {
    let store = try Store.open(at: url, models: Cell<V>.self, options: .forTests)
    let before = try store.fetch(Cell<V>.all)
    try store.write { try $0.insert(Cell(id: 1_000, value: value)) }
    let after = try store.fetch(Cell<V>.all)
    #expect(after.dropLast() == before[...] && after.last?.value == value)
    let verification = try store.verify()
    #expect(verification.problems == [] && verification.indexEntries == after.count)
    return before.map(\.value.stored)
  }

  /// Whether the change is automatic, by the rule as it is told to users.
  func widens(to other: Form) -> Bool {
    if name == other.name { return true }
    guard bits > 0, bits < other.bits else { return false }
    return family == other.family || family == "unsigned" && other.family == "signed"
  }
}

/// Numbers as texts, so that a widened one is the one that it was.
private func texts(_ values: [StoredValue]) -> [String] {
  values.map { value in
    switch value {
    case .int(let number): "\(number)"
    case .uint(let number): "\(number)"
    default: "\(value)"
    }
  }
}

@Suite(.keepsFailedStores) struct ChangeMatrixTests {
  private static let forms = [
    Form([true, false], "bool"),
    Form([Int8.min, -1, 0, .max], "signed", 8), Form([Int16.min, -1, 0, .max], "signed", 16),
    Form([Int32.min, -1, 0, .max], "signed", 32), Form([Int64.min, -1, 0, .max], "signed", 64),
    Form([UInt8.min, 1, .max], "unsigned", 8), Form([UInt16.min, 1, .max], "unsigned", 16),
    Form([UInt32.min, 1, .max], "unsigned", 32), Form([UInt64.min, 1, .max], "unsigned", 64),
    Form([Float(-1.5), 0, .infinity, 0.1], "real", 32),
    Form([-1.5, 0, .infinity, 0.1] as [Double], "real", 64),
    Form([Date(timeIntervalSinceReferenceDate: 7.5)], "date"),
    Form([UUID(), UUID()], "uuid"), Form(["", "a", "e\u{301}"], "text"),
    Form([Data(), Data([0, 1])], "data"),
  ]

  @Test(arguments: forms, forms)
  fileprivate func aTypeBecomesAnotherByItselfExactlyWhereNothingIsLost(
    from: Form, to: Form
  ) throws {
    try withTemporaryStore(of: Bare.Cell.self, checksAtEnd: false) { temporary in
      let written = try from.write(temporary.url)
      let before = try Data(contentsOf: temporary.url)
      if from.widens(to: to) {
        #expect(try texts(to.change(temporary.url)) == texts(written))
      } else {
        try expectRefusal(from.name, to.name) { _ = try to.change(temporary.url) }
        #expect(try Data(contentsOf: temporary.url) == before)
      }
    }
    try withTemporaryStore(of: Bare.Cell.self, checksAtEnd: false) { temporary in
      let written = try from.write(temporary.url)
      if from.widens(to: to) {
        #expect(try texts(to.changeToOptional(temporary.url)) == texts(written))
      } else {
        try expectRefusal(from.name, to.name) { _ = try to.changeToOptional(temporary.url) }
      }
    }
  }

  @Test(arguments: forms)
  fileprivate func anOptionalWithoutADefaultStaysOne(form: Form) throws {
    try withTemporaryStore(of: Bare.Cell.self, checksAtEnd: false) { temporary in
      let written = try form.writeOptional(temporary.url)
      try expectRefusal(form.name, form.name) { _ = try form.change(temporary.url) }
      #expect(try texts(form.changeToOptional(temporary.url)) == texts(written))
    }
  }

  private func expectRefusal(
    _ from: String, _ to: String, _ body: () throws -> Void
  ) throws {
    let error = #expect(throws: StoreError.self, performing: body)
    guard case .schemaMismatch("Cell", "value", let reason) = error else {
      Issue.record("\(from) to \(to): \(String(describing: error))")
      return
    }
    #expect(reason.contains("migrations: [.convert(\\Cell.value)"))
  }
}
