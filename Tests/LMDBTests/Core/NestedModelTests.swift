import LMDB
import Testing
import TestSupport

/// Nested transactions of any depth against rows in memory with an undo log.
///
/// What relies on exact undo (savepoints, groups of writes) relies on these. The last one makes
/// the C library write pages of a running transaction to the disk ("spill" them), which it does
/// at 131,071 changed pages, and nests inside that.
@Suite struct NestedModelTests {
  let folder = TemporaryFolder()

  @Test(arguments: 0..<3)
  func nestedTransactionsDoWhatAnUndoLogDoes(_ run: Int) throws {
    var work = NestedWork(SeededGenerator.forTest("nested \(run)"), keys: 1_500)
    let steps = Torture.steps(short: 4_000, long: 2_000_000)
    var environment = try Environment.open(at: folder.path(), options: .forNesting)
    while work.step < steps {
      if work.random.chance(1, of: 4) {
        environment = try Environment.open(at: folder.path(), options: .forNesting)
      }
      try work.transact(in: environment)
      try work.compare(environment)
    }
    #expect(work.deepest > 3)
  }

  @Test func nestedTransactionsInsideOneThatSpilledAreUndoneExactly() throws {
    // Each row has a page of its own, so that so many are more than the C library keeps.
    let rows = UInt32(Torture.steps(short: 140_000, long: 400_000))
    let rounds = Torture.steps(short: 1, long: 40)
    var work = NestedWork(SeededGenerator.forTest("spilled"), keys: rows)
    let environment = try Environment.open(at: folder.path(), options: .forNesting)
    for round in 1...rounds {
      try work.transact(in: environment, filling: rows, steps: 6_000 * round)
      try work.compare(environment)
    }
    #expect(try environment.fileBytes > 131_072 * 4_096)
  }
}

extension Environment.Options {
  fileprivate static var forNesting: Self { .forTests { $0.mapSizeBytes = 8 << 30 } }
}

/// What a row's value is made from.
private struct Stamp: Equatable {
  var number: UInt64
  var byteCount: Int

  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
    for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))) }
    return bytes
  }

  init(_ number: UInt64, _ byteCount: Int) {
    self.number = number
    self.byteCount = byteCount
  }

  init(_ value: RawSpan) {
    let number = unsafe value.unsafeLoadUnaligned(as: UInt64.self)
    self.init(UInt64(littleEndian: number), value.byteCount)
  }
}

/// Random work on some trees, and the same on dictionaries that can be rolled back.
private struct NestedWork {
  typealias Rows = [UInt32: Stamp]
  private struct Undo: Error {}
  private enum Change {
    case row(String, UInt32, Stamp?)
    case tree(String, Rows?)
  }

  var random: SeededGenerator
  var step = 0
  var deepest = 0
  private let keys: UInt32
  private var trees: [String: Rows] = [:]
  private var log: [Change] = []
  private var lastNumber: UInt64 = 0

  init(_ random: SeededGenerator, keys: UInt32) {
    self.random = random
    self.keys = keys
  }

  // MARK: The twin

  private mutating func set(_ key: UInt32, _ stamp: Stamp?, in tree: String) {
    let old = trees[tree]?[key]
    if old == nil, stamp == nil { return }
    log.append(.row(tree, key, old))
    trees[tree]?[key] = stamp
  }

  private mutating func replace(_ tree: String, by rows: Rows?) {
    log.append(.tree(tree, trees[tree]))
    trees[tree] = rows
  }

  private mutating func rollBack(to mark: Int) {
    while log.count > mark, let change = log.popLast() {
      switch change {
      case .row(let tree, let key, let old): trees[tree]?[key] = old
      case .tree(let tree, let rows): trees[tree] = rows
      }
    }
  }

  // MARK: Transactions

  /// One transaction of the environment, committed or not.
  ///
  /// - Parameters:
  ///   - rows: How many rows are written first, each to a page of its own.
  ///   - steps: The number of steps in all that it goes on to.
  mutating func transact(
    in environment: Environment, filling rows: UInt32 = 0, steps: Int = 0
  ) throws {
    do {
      try environment.write { transaction in
        for key in 0..<rows { try put(key, stamp(2_100), in: "a", .upsert, &transaction) }
        repeat { try operate(&transaction, depth: 1) } while step < steps
        if rows == 0, random.chance(1, of: 5) { throw Undo() }
      }
    } catch is Undo {
      rollBack(to: 0)
    }
    log.removeAll()
  }

  private mutating func operate(_ transaction: inout WriteTransaction, depth: Int) throws {
    deepest = max(deepest, depth)
    // About one level in each other on the average, so that depths vary and work stays bounded.
    for _ in 0..<1 + random.below(30) {
      step += 1
      if depth < 12, random.chance(1, of: 15) {
        try nest(&transaction, depth: depth)
      } else {
        try change(&transaction)
      }
    }
    for (tree, rows) in trees {
      let database = try transaction.database(named: tree)
      guard let database else {
        Issue.record("seed \(random.seed): there is no tree \(tree)")
        return
      }
      #expect(try transaction.count(of: database) == rows.count, "seed \(random.seed)")
    }
  }

  private mutating func nest(_ transaction: inout WriteTransaction, depth: Int) throws {
    let mark = log.count
    do {
      try transaction.nested { transaction in
        try operate(&transaction, depth: depth + 1)
        if random.chance(2, of: 5) { throw Undo() }
      }
    } catch is Undo {
      rollBack(to: mark)
    } catch LMDBError.Code.transactionFull {
      // Pages that the outer transactions have spilled cannot be spilled again by an inner one.
      rollBack(to: mark)
    }
  }

  // MARK: Changes

  private mutating func stamp(_ byteCount: Int? = nil) -> Stamp {
    lastNumber += 1
    let sizes = [8, 8, 30, 200, 2_100, 2_100, 3_900, 9_000]
    return Stamp(lastNumber, byteCount ?? sizes[random.below(sizes.count)])
  }

  private mutating func key() -> UInt32 { .random(in: 0..<keys, using: &random) }

  private mutating func open(
    _ tree: String, _ transaction: inout WriteTransaction
  ) throws -> Database {
    if trees[tree] == nil { replace(tree, by: [:]) }
    return try transaction.openDatabase(named: tree)
  }

  private mutating func put(
    _ key: UInt32, _ stamp: Stamp, in tree: String, _ mode: WriteTransaction.PutMode,
    _ transaction: inout WriteTransaction
  ) throws {
    let database = try open(tree, &transaction)
    let isNew = try transaction.put(
      stamp.bytes.span.bytes, at: key.bytes.span.bytes, in: database, mode: mode)
    if mode == .insert { #expect(isNew == (trees[tree]?[key] == nil), "seed \(random.seed)") }
    if isNew { set(key, stamp, in: tree) }
  }

  private mutating func change(_ transaction: inout WriteTransaction) throws {
    let tree = ["a", "a", "a", "b", "c"][random.below(5)]
    let database = try open(tree, &transaction)
    let key = key()
    switch random.below(16) {
    case 0...4: try put(key, stamp(), in: tree, .upsert, &transaction)
    case 5: try put(key, stamp(), in: tree, .insert, &transaction)
    case 6...8:
      let isDeleted = try transaction.delete(key.bytes.span.bytes, in: database)
      #expect(isDeleted == (trees[tree]?[key] != nil), "seed \(random.seed)")
      set(key, nil, in: tree)
    case 9: try deleteByScan(from: key, tree, database, &transaction)
    case 10, 11: try applyBatch(from: key, tree, database, &transaction)
    case 12:
      let range = key..<key + 1 + UInt32(random.below(20))
      let held = range.filter { trees[tree]?[$0] != nil }
      let deleted = try transaction.deleteRange(
        .halfOpen(range.lowerBound.bytes, range.upperBound.bytes), in: database)
      #expect(deleted == held.count, "seed \(random.seed)")
      for key in held { set(key, nil, in: tree) }
    case 13 where random.chance(1, of: 30):
      try transaction.empty(database)
      replace(tree, by: [:])
    default:
      let found = try transaction.stamp(of: key, in: database)
      #expect(found == trees[tree]?[key], "seed \(random.seed)")
    }
  }

  private mutating func deleteByScan(
    from key: UInt32, _ tree: String, _ database: Database, _ transaction: inout WriteTransaction
  ) throws {
    var next: UInt32? = key
    for _ in 0..<1 + random.below(30) {
      guard let start = next else { return }
      guard let row = try transaction.firstRow(of: database, from: start.bytes) else { return }
      let (found, held) = (UInt32(key: row.key.span.bytes), Stamp(row.value.span.bytes))
      #expect(trees[tree]?[found] == held, "seed \(random.seed)")
      if random.chance(1, of: 4) {
        let stamp = stamp()
        try transaction.put(stamp.bytes.span.bytes, at: found.bytes.span.bytes, in: database)
        set(found, stamp, in: tree)
      } else {
        #expect(try transaction.delete(found.bytes.span.bytes, in: database))
        set(found, nil, in: tree)
      }
      next = found == .max ? nil : found + 1
    }
  }

  private mutating func applyBatch(
    from key: UInt32, _ tree: String, _ database: Database, _ transaction: inout WriteTransaction
  ) throws {
    let changes = (0..<1 + UInt32(random.below(80))).map { step in
      (key: key + step * 2, stamp: random.chance(1, of: 2) ? nil : stamp())
    }
    let bytes = changes.map { ($0.key.bytes, $0.stamp?.bytes) }
    _ = try transaction.applyBatch(bytes, to: database)
    for change in changes { set(change.key, change.stamp, in: tree) }
  }

  // MARK: Comparing

  /// Compares all trees with the twin, in a read transaction.
  func compare(_ environment: Environment) throws {
    try environment.read { transaction in
      for (tree, rows) in trees {
        guard let database = try transaction.database(named: tree) else {
          Issue.record("seed \(random.seed): there is no tree \(tree)")
          return
        }
        var (count, wrong) = (0, 0)
        try transaction.forEachBlock(of: database) { block in
          for place in 0..<block.count {
            count += 1
            let found = Stamp(block.value(at: place))
            if rows[UInt32(key: block.key(at: place))] != found { wrong += 1 }
          }
          return true
        }
        #expect(wrong == 0 && count == rows.count, "seed \(random.seed), tree \(tree)")
      }
      for tree in ["a", "b", "c"] where trees[tree] == nil {
        let database = try transaction.database(named: tree)
        #expect(database == nil, "seed \(random.seed), tree \(tree)")
      }
    }
  }
}

extension UInt32 {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { unsafe Array($0) } }

  fileprivate init(key: RawSpan) {
    self = UInt32(bigEndian: unsafe key.unsafeLoadUnaligned(as: UInt32.self))
  }
}

extension WriteTransaction {
  fileprivate func stamp(of key: UInt32, in database: Database) throws -> Stamp? {
    guard let value = try get(key.bytes.span.bytes, in: database) else { return nil }
    return Stamp(value)
  }

  /// Applies a batch of keys with values; no value means a deletion.
  fileprivate mutating func applyBatch(
    _ changes: [([UInt8], [UInt8]?)], to database: Database
  ) throws -> Int? {
    // One buffer that all changes point into; its last byte is there for values of none.
    let bytes = changes.reduce(into: []) { $0 += $1.0 + ($1.1 ?? []) } + [0]
    return try bytes.withUnsafeBytes { buffer in
      guard var start = buffer.baseAddress else { return nil }
      let sorted = changes.map { key, value in
        let change = WriteTransaction.SortedChange(
          keyStart: start, keyCount: key.count, valueStart: start + key.count,
          valueCount: value?.count ?? 0, isDelete: value == nil)
        start += key.count + (value?.count ?? 0)
        return change
      }
      return try sorted.withUnsafeBufferPointer { try apply($0, to: database) }
    }
  }
}
