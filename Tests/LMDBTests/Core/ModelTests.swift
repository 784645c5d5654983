import Foundation
import LMDB
import Testing
import TestSupport

/// Random work on a database and on a plain dictionary, which must agree after every transaction.
///
/// The seed is printed; the environment variable CROFT_SEED replays it.
@Suite struct ModelTests {
  typealias Model = [[UInt8]: [UInt8]]

  private struct Undo: Error {}

  @Test(arguments: 0..<4)
  func aDatabaseIsADictionaryInOrder(_ run: Int) throws {
    var random = SeededGenerator.forTest("model \(run)")
    let folder = TemporaryFolder()
    var model: Model = [:]
    for _ in 0..<12 {
      let environment = try Environment.open(
        at: folder.path(), options: .forTests { $0.mapSizeBytes = 64 << 20 })
      for _ in 0..<6 {
        var next = model
        do {
          try environment.write { transaction in
            let database = try transaction.openDatabase(named: "d")
            try work(&transaction, database, &next, &random, depth: 0)
            if random.chance(1, of: 4) { throw Undo() }
          }
          model = next
        } catch is Undo {}
        try check(environment, model)
      }
    }
  }

  private func work(
    _ transaction: inout WriteTransaction, _ database: Database, _ model: inout Model,
    _ random: inout SeededGenerator, depth: Int
  ) throws {
    for _ in 0..<random.below(40) {
      let key = random.key()
      let value = random.value()
      switch random.below(13) {
      case 0...3:
        try transaction.put(value.span.bytes, at: key.span.bytes, in: database)
        model[key] = value
      case 4:
        let isNew = try transaction.put(
          value.span.bytes, at: key.span.bytes, in: database, mode: .insert)
        #expect(isNew == (model[key] == nil))
        if isNew { model[key] = value }
      case 5:
        let last = model.keys.max { $0.lexicographicallyPrecedes($1) } ?? []
        let key = last.count < 500 ? last + [0] : [0xFF, 0xFF, 0xFF, 0xFF]
        guard last.lexicographicallyPrecedes(key) else { continue }
        try transaction.put(value.span.bytes, at: key.span.bytes, in: database)
        model[key] = value
      case 6...7:
        let isDeleted = try transaction.delete(key.span.bytes, in: database)
        #expect(isDeleted == (model.removeValue(forKey: key) != nil))
      case 8:
        let range = KeyRange.halfOpen(key, random.key())
        let gone = model.keys.filter { range.holds($0) }
        #expect(try transaction.deleteRange(range, in: database) == gone.count)
        for key in gone { model[key] = nil }
      case 9:
        #expect(try transaction.get(key.span.bytes, in: database)?.array == model[key])
      case 10:
        let found = try transaction.firstRow(of: database, from: key)?.key
        if let found {
          #expect(try transaction.delete(found.span.bytes, in: database))
          model[found] = nil
        }
        try transaction.put(value.span.bytes, at: key.span.bytes, in: database)
        model[key] = value
      case 11 where depth < 3:
        var inner = model
        do {
          try transaction.nested { transaction in
            try work(&transaction, database, &inner, &random, depth: depth + 1)
            if random.chance(1, of: 3) { throw Undo() }
          }
          model = inner
        } catch is Undo {}
      case 12 where random.chance(1, of: 10):
        try transaction.empty(database)
        model = [:]
      default: break
      }
    }
    #expect(try transaction.count(of: database) == model.count)
  }

  private func check(_ environment: Environment, _ model: Model) throws {
    let expected = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { [$0.key, $0.value] }
    try environment.read { transaction in
      guard let database = try transaction.database(named: "d") else {
        #expect(expected.isEmpty)
        return
      }
      let forward = try transaction.rows(of: database)
      #expect(forward == expected)
      let backward = try transaction.rows(of: database, direction: .backward)
      #expect(backward == expected.reversed())
    }
  }
}

extension KeyRange {
  /// Whether a half-open range holds a key.
  fileprivate func holds(_ key: [UInt8]) -> Bool {
    guard case .inclusive(let low) = lower, case .exclusive(let high) = upper else { return false }
    return !key.lexicographicallyPrecedes(low) && key.lexicographicallyPrecedes(high)
  }
}
