import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// Very many models: each takes a tree, and so does each of its indexes.
@Suite(.keepsFailedStores) struct TreeLimitTests {
  /// A thousand models with four indexes each: 5,000 trees.
  ///
  /// Three hundred of them were refused with the advice to set an option that there was not.
  @Test(arguments: [400, 1_000]) func veryManyModelsAreOpened(count: Int) throws {
    try withFolder { url in
      let models = Self.models(0..<count)
      for round in 0..<2 {
        let store = try StoreOpening(path: url.path, models, .forTests).run()
        try store.write { tx in
          for model in [models[0], models[count / 2], models[count - 1]] {
            try insert(model, id: round, &tx)
          }
        }
        for model in [models[0], models[count - 1]] {
          #expect(try Self.count(model, of: store) == round + 1)
        }
        #expect(try store.statistics.models.count == count)
      }
    }
  }

  /// What the file has and what the program adds, both just below what there is room for at first.
  @Test func modelsThatComeLaterAreOpenedToo() throws {
    try withFolder { url in
      _ = try StoreOpening(path: url.path, Self.models(0..<200), .forTests).run()
      let later = Self.models(200..<400)
      let store = try StoreOpening(path: url.path, later, .forTests).run()
      try store.write { try insert(later[199], id: 1, &$0) }
      #expect(try Self.count(later[199], of: store) == 1)
      #expect(try store.verify().isSound)
    }
  }

  @Test func aStoreThatIsOpenWithLessRoomSaysWhatToDo() throws {
    try withFolder { url in
      let store = try StoreOpening(path: url.path, Self.models(0..<10), .forTests).run()
      let error = StoreError.thrown {
        _ = try StoreOpening(path: url.path, Self.models(0..<300), .forTests).run()
      }
      guard case .tooManyTrees = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(error?.isRetryable == false)
      #expect(error?.description.contains("with room for 1024") == true)
      #expect(error?.description.contains("at most 16,384 trees fit") == true)
      // Nothing of it remains, and the open store still works.
      #expect(try store.statistics.models.count == 10)
      try store.write { try insert(Self.models(0..<1)[0], id: 1, &$0) }
    }
  }

  @Test(.enabled(if: Torture.isAskedFor, "Four thousand models take minutes."))
  func moreTreesThanThereIsRoomForAreRefusedAndLeaveTheFileAsItWas() throws {
    try withFolder { url in
      _ = try StoreOpening(path: url.path, Self.models(0..<10), .forTests).run()
      let error = StoreError.thrown {
        _ = try StoreOpening(path: url.path, Self.models(0..<4_000), .forTests).run()
      }
      guard case .tooManyTrees = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      let store = try StoreOpening(path: url.path, Self.models(0..<10), .forTests).run()
      #expect(try store.statistics.models.count == 10)
    }
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try body(folder.appending(path: "store.croft"))
    try FileManager.default.removeItem(at: folder)
  }

  private func insert<M: Model>(
    _ model: M.Type, id: Int, _ transaction: inout Croft.WriteTransaction
  ) throws {
    guard let object = (model as? any Numbering.Type)?.make(id: id) as? M else { return }
    try transaction.insert(object)
  }

  private static func count<M: Model>(_ model: M.Type, of store: Store) throws -> Int {
    try store.count(M.all)
  }

  private static func models(_ numbers: Range<Int>) -> [any Model.Type] {
    numbers.map { Self.model(type(for: $0)) }
  }

  private static func model<N: Number>(_ number: N.Type) -> any Model.Type { Generic<N>.self }

  /// The type of a number, from its bits.
  private static func type(for number: Int) -> any Number.Type {
    func even<N: Number>(_ half: N.Type) -> any Number.Type { Even<N>.self }
    func odd<N: Number>(_ half: N.Type) -> any Number.Type { Odd<N>.self }
    guard number > 0 else { return Zero.self }
    let half = type(for: number / 2)
    return number.isMultiple(of: 2) ? even(half) : odd(half)
  }
}

/// A number that is a type, bit by bit: a generic model is another one for each.
private protocol Number: Sendable {
  static var value: Int { get }
}

private enum Zero: Number { static let value = 0 }
private enum Even<Half: Number>: Number { static var value: Int { Half.value * 2 } }
private enum Odd<Half: Number>: Number { static var value: Int { Half.value * 2 + 1 } }

private protocol Numbering {
  static func make(id: Int) -> Self
}

/// A model with four indexes, written by hand because the macro cannot give it a name of its own.
private struct Generic<N: Number>: Model, Numbering {
  var id: Int
  var first = 1
  var second = 2
  var third = 3
  var fourth = 4

  static func make(id: Int) -> Self { Self(id: id) }

  init(id: Int) { self.id = id }

  static var _schema: _ModelSchema<Self> {
    Schemas.known.schema(of: Self.self) {
      _ModelSchema<Self>(
        "Generic\(N.value)",
        [
          _keyColumn(\.id, "id"), _indexedColumn(\.first, "first"),
          _indexedColumn(\.second, "second"), _indexedColumn(\.third, "third"),
          _indexedColumn(\.fourth, "fourth"),
        ])
    }
  }

  var _primaryKey: Int { id }

  init(_record row: inout _RecordDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    first = try Self._decode(&row) { $0.first }
    second = try Self._decode(&row) { $0.second }
    third = try Self._decode(&row) { $0.third }
    fourth = try Self._decode(&row) { $0.fourth }
  }

  func _encode(into row: inout _RecordEncoder) {
    row.encodeKey(id)
    row.encode(first)
    row.encode(second)
    row.encode(third)
    row.encode(fourth)
  }
}

/// The schemas that were made: a generic type has no static storage of its own.
private final class Schemas: Sendable {
  static let known = Schemas()
  private let schemas = Mutex<[ObjectIdentifier: any Sendable]>([:])

  func schema<M: Model>(of model: M.Type, _ make: () -> _ModelSchema<M>) -> _ModelSchema<M> {
    schemas.withLock { schemas in
      if let known = schemas[ObjectIdentifier(model)] as? _ModelSchema<M> { return known }
      let schema = make()
      schemas[ObjectIdentifier(model)] = schema
      return schema
    }
  }
}
