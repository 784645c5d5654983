import Foundation
import LMDB
import Testing
import TestSupport

extension TemporaryFolder {
  /// The path of a file in the folder.
  func path(_ name: String = "data.mdb") -> String { path(to: name) }
}

extension Environment.Options {
  /// Options for tests, which need not survive a power cut.
  static func forTests(_ change: (inout Self) -> Void = { _ in }) -> Self {
    var options = Self()
    options.durability = .unsafe
    options.mapSizeBytes = 64 << 20
    options.writerTimeout = .milliseconds(50)
    change(&options)
    return options
  }
}

extension String {
  /// The bytes, for keys and values that tests can read.
  var bytes: [UInt8] { Array(utf8) }
}

extension RawSpan {
  /// A copy of the bytes.
  var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
  /// The bytes as text.
  var text: String { String(decoding: array, as: UTF8.self) }
}

extension Transaction where Self: ~Copyable {
  /// The value of a key, as text.
  func text(_ key: String, in database: Database) throws -> String? {
    try get(key.bytes.span.bytes, in: database)?.text
  }

  /// The rows of a range, copied.
  func rows(
    of database: Database, in range: KeyRange = .all, direction: KeyRange.Direction = .forward
  ) throws -> [[[UInt8]]] {
    var rows: [[[UInt8]]] = []
    try forEachBlock(of: database, in: range, direction: direction) { block in
      for index in 0..<block.count {
        rows.append([block.key(at: index).array, block.value(at: index).array])
      }
      return true
    }
    return rows
  }

  /// The keys of a range, as text.
  func keys(
    of database: Database, in range: KeyRange = .all, direction: KeyRange.Direction = .forward
  ) throws -> [String] {
    try rows(of: database, in: range, direction: direction)
      .map { String(decoding: $0[0], as: UTF8.self) }
  }
}

extension Transaction where Self: ~Copyable {
  /// The first row whose key is not less than a key; nil where there is none.
  func firstRow(
    of database: Database, from key: [UInt8]
  ) throws -> (key: [UInt8], value: [UInt8])? {
    var row: (key: [UInt8], value: [UInt8])?
    try forEachBlock(of: database, in: KeyRange(lower: .inclusive(key))) { block in
      row = (block.key(at: 0).array, block.value(at: 0).array)
      return false
    }
    return row
  }
}

extension WriteTransaction {
  /// Runs a closure in a nested transaction, whose changes alone are undone when it throws.
  @discardableResult
  mutating func nested<R: ~Copyable>(
    _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    var inner = try beginNested()
    let result = try body(&inner)
    try inner.commit()
    return result
  }

  /// Writes a row of text.
  @discardableResult
  mutating func put(
    _ value: String, at key: String, in database: Database, mode: WriteTransaction.PutMode = .upsert
  ) throws -> Bool {
    try put(value.bytes.span.bytes, at: key.bytes.span.bytes, in: database, mode: mode)
  }
}

/// The error of this module that some work throws; nil when it throws none.
func lmdbError(_ work: () throws -> Void) -> LMDBError? {
  do {
    try work()
    return nil
  } catch let error as LMDBError {
    return error
  } catch {
    Issue.record(error, "Another error than this module's.")
    return nil
  }
}

extension Environment {
  /// Leaves the file shorter than its count of pages: some are taken, given back, and never written.
  func takeAndGiveBackPages() throws {
    // Only a transaction that uses free pages forgets those that it gives back.
    for step in 0..<4 {
      try write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.put("\(step)", at: "long", in: database)
      }
    }
    try write { transaction in
      let database = try transaction.openDatabase(named: "d")
      let value = [UInt8](repeating: 1, count: 1 << 20)
      for step in 0..<4 {
        try transaction.put(value.span.bytes, at: "long \(step)".bytes.span.bytes, in: database)
      }
      for step in 0..<4 {
        try transaction.delete("long \(step)".bytes.span.bytes, in: database)
      }
    }
  }

  /// The size of the file.
  var fileBytes: Int {
    get throws {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
  }
}

extension KeyRange {
  /// The keys from one, which is in the range, to another, which is not.
  static func halfOpen(_ lower: [UInt8], _ upper: [UInt8]) -> KeyRange {
    KeyRange(lower: .inclusive(lower), upper: .exclusive(upper))
  }

  /// The keys from one to another, both in the range.
  static func closed(_ lower: [UInt8], _ upper: [UInt8]) -> KeyRange {
    KeyRange(lower: .inclusive(lower), upper: .inclusive(upper))
  }
}

extension ExitTest.Result? {
  /// Whether the process ended with a message on its standard error.
  func says(_ message: String) -> Bool {
    String(decoding: self?.standardErrorContent ?? [], as: UTF8.self).contains(message)
  }
}
