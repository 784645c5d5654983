import Foundation
import LMDB
import Testing

/// Random work on a database and on a plain dictionary, which must agree after every transaction.
///
/// The seed is printed; the environment variable CROFT_SEED replays it.
@Suite struct ModelTests {
  typealias Model = [[UInt8]: [UInt8]]

  private struct Undo: Error {}

  @Test(arguments: 0..<4)
  func aDatabaseIsADictionaryInOrder(_ run: Int) throws {
    let seed = ProcessInfo.processInfo.environment["CROFT_SEED"].flatMap(UInt64.init)
    var random = SplitMix(seed: seed ?? UInt64.random(in: 0...UInt64.max))
    print("CROFT_SEED=\(random.seed) replays run \(run)")
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
    _ random: inout SplitMix, depth: Int
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
        try transaction.put(value.span.bytes, at: key.span.bytes, in: database, mode: .append)
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
        try transaction.withWriteCursor(in: database) { cursor in
          if try cursor.seek(key.span.bytes) {
            model[cursor.key.array] = nil
            try cursor.delete()
          }
          try cursor.put(value.span.bytes, at: key.span.bytes)
          model[key] = value
        }
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

/// A small generator whose seed replays it (Steele, Lea and Flood: SplitMix64).
private struct SplitMix: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

  /// A key of few kinds, so that keys meet; some are as long as can be.
  mutating func key() -> [UInt8] {
    let count = chance(1, of: 12) ? 400 + below(100) : 1 + below(3)
    let alphabet: [UInt8] = [0x00, 0x01, 0x41, 0x7F, 0x80, 0xFE, 0xFF]
    let byte = alphabet[below(alphabet.count)]
    return [byte] + (1..<count).map { _ in alphabet[below(alphabet.count)] }.prefix(count - 1)
  }

  /// A value that fits into a page, or takes some of its own.
  mutating func value() -> [UInt8] {
    let count = chance(1, of: 8) ? 2_000 + below(9_000) : below(200)
    return [UInt8](repeating: UInt8(below(256)), count: count)
  }
}
