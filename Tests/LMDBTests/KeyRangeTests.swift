import LMDB
import Testing
import TestSupport

/// Every range over a small universe of keys, in both directions, against a sorted array.
@Suite struct KeyRangeTests {
  let folder = TemporaryFolder()
  let environment: Environment
  let database: Database
  /// All keys of one and two bytes over an alphabet of extremes.
  static let keys: [[UInt8]] = {
    let alphabet: [UInt8] = [0x00, 0x01, 0x7F, 0xFF]
    let pairs = alphabet.flatMap { first in alphabet.map { [first, $0] } }
    return (alphabet.map { [$0] } + pairs).sorted { $0.lexicographicallyPrecedes($1) }
  }()
  static let bounds: [KeyRange.Bound] = {
    // Bounds that are keys, are between keys, are longer than any, and empty.
    let bytes = keys + [[], [0x02], [0xFF, 0xFF, 0xFF], [0x7F, 0x00, 0x00]]
    return [.unbounded] + bytes.flatMap { [.inclusive($0), .exclusive($0)] }
  }()

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
    // Every second key is there.
    database = try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      for key in Self.present {
        try transaction.put([UInt8]().span.bytes, at: key.span.bytes, in: database)
      }
      return database
    }
  }

  static let present = stride(from: 0, to: keys.count, by: 2).map { keys[$0] }

  /// The keys that belong to a range, by the definition of its bounds.
  static func expected(_ range: KeyRange) -> [[UInt8]] {
    present.filter { key in
      let isAboveLower =
        switch range.lower {
        case .unbounded: true
        case .inclusive(let bound): !key.lexicographicallyPrecedes(bound)
        case .exclusive(let bound): bound.lexicographicallyPrecedes(key)
        }
      let isBelowUpper =
        switch range.upper {
        case .unbounded: true
        case .inclusive(let bound): !bound.lexicographicallyPrecedes(key)
        case .exclusive(let bound): key.lexicographicallyPrecedes(bound)
        }
      return isAboveLower && isBelowUpper
    }
  }

  private func forEachRange(_ body: (KeyRange) throws -> Void) rethrows {
    for lower in Self.bounds {
      for upper in Self.bounds { try body(KeyRange(lower: lower, upper: upper)) }
    }
  }

  @Test func blocksHoldExactlyTheRange() throws {
    try environment.read { transaction in
      try forEachRange { range in
        let keys = Self.expected(range)
        let forward = try transaction.rows(of: database, in: range).map { $0[0] }
        #expect(forward == keys, "\(range)")
        let backward = try transaction.rows(of: database, in: range, direction: .backward)
        #expect(backward.map { $0[0] } == keys.reversed(), "\(range)")
      }
    }
  }

  @Test func deletingARangeDeletesExactlyTheRange() throws {
    struct Undo: Error {}
    forEachRange { range in
      #expect(throws: Undo.self) {
        try environment.write { transaction in
          let keys = Self.expected(range)
          let deleted = try transaction.deleteRange(range, in: database)
          #expect(deleted == keys.count, "\(range)")
          let rest = try transaction.rows(of: database).map { $0[0] }
          #expect(rest == Self.present.filter { !keys.contains($0) }, "\(range)")
          throw Undo()
        }
      }
    }
  }

  @Test func aPrefixRangeHoldsTheKeysThatBeginWithIt() throws {
    try environment.read { transaction in
      for prefix in Self.keys + [[]] {
        let found = try transaction.rows(of: database, in: .prefix(prefix)).map { $0[0] }
        #expect(found == Self.present.filter { $0.starts(with: prefix) }, "\(prefix)")
      }
    }
  }

  @Test func theNamedRangesSayWhatTheyMean() {
    #expect(KeyRange.all == KeyRange())
    #expect(KeyRange.prefix([0xFF, 0xFF]) == KeyRange(lower: .inclusive([0xFF, 0xFF])))
    #expect(
      KeyRange.prefix([1, 0xFF]) == KeyRange(lower: .inclusive([1, 0xFF]), upper: .exclusive([2])))
  }
}
