import CPostgres
import Foundation

/// The rows that a statement gave, in binary format.
///
/// Nothing of what a server sends is believed: types, lengths and missing values are checked.
///
/// Threads: any; a result of libpq does not change.
final class PostgresRows: @unchecked Sendable {
  private let result: OpaquePointer

  /// Takes a result, which is freed with these rows.
  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var count: Int { Int(PQntuples(result)) }

  /// Checks the types of all columns.
  ///
  /// - Throws: `PostgresError.invalidAnswer`.
  func check(_ kinds: PostgresValue.Kind...) throws {
    guard PQnfields(result) == kinds.count else {
      throw PostgresError.invalidAnswer(
        reason: "\(PQnfields(result)) columns in place of \(kinds.count)")
    }
    for (column, kind) in zip(Int32(0)..., kinds)
    where PQftype(result, column) != kind.rawValue || PQfformat(result, column) != 1 {
      throw PostgresError.invalidAnswer(
        reason: "column \(column) is of type \(PQftype(result, column)), not \(kind.rawValue)")
    }
  }

  /// The only row of an answer, as its index.
  func only() throws -> Int {
    guard count == 1 else {
      throw PostgresError.invalidAnswer(reason: "\(count) rows in place of one")
    }
    return 0
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    PQgetisnull(result, Int32(row), Int32(column)) == 1
  }

  func bytes(_ row: Int, _ column: Int) throws -> [UInt8] { Array(try value(row, column)) }

  func bool(_ row: Int, _ column: Int) throws -> Bool {
    try value(row, column, count: 1)[0] != 0
  }

  func int4(_ row: Int, _ column: Int) throws -> Int32 {
    Int32(bigEndian: try value(row, column, count: 4).loadUnaligned(as: Int32.self))
  }

  func int8(_ row: Int, _ column: Int) throws -> Int64 {
    Int64(bigEndian: try value(row, column, count: 8).loadUnaligned(as: Int64.self))
  }

  func text(_ row: Int, _ column: Int) throws -> String {
    guard let text = String(validating: try value(row, column), as: UTF8.self) else {
      throw PostgresError.invalidAnswer(reason: "column \(column) has a text that is not UTF-8")
    }
    return text
  }

  func uuid(_ row: Int, _ column: Int) throws -> UUID {
    UUID(uuid: try value(row, column, count: 16).loadUnaligned(as: uuid_t.self))
  }

  /// A time in milliseconds since 1970.
  func milliseconds(_ row: Int, _ column: Int) throws -> Int64 {
    try int8(row, column) / 1_000 + PostgresValue.epoch
  }

  func int8s(_ row: Int, _ column: Int) throws -> [Int64] {
    try elements(row, column, of: .int8, count: 8).map {
      Int64(bigEndian: $0.loadUnaligned(as: Int64.self))
    }
  }

  func uuids(_ row: Int, _ column: Int) throws -> [UUID] {
    try elements(row, column, of: .uuid, count: 16).map {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  /// The elements of an array of one dimension, which have one size and are not NULL.
  private func elements(
    _ row: Int, _ column: Int, of kind: PostgresValue.Kind, count: Int
  ) throws -> [UnsafeRawBufferPointer] {
    let bytes = try value(row, column)
    func number(_ offset: Int) -> UInt32 {
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    let invalid = PostgresError.invalidAnswer(
      reason: "column \(column) is not an array of \(kind)s")
    // Three numbers, and two for each dimension, of which an empty array has none.
    guard bytes.count >= 12, number(4) == 0, number(8) == kind.rawValue else { throw invalid }
    if number(0) == 0 { return [] }
    guard number(0) == 1, bytes.count >= 20, (bytes.count - 20) % (count + 4) == 0,
      Int(number(12)) == (bytes.count - 20) / (count + 4)
    else { throw invalid }
    return try stride(from: 20, to: bytes.count, by: count + 4).map { start in
      guard Int(number(start)) == count else { throw invalid }
      return UnsafeRawBufferPointer(rebasing: bytes[(start + 4)..<(start + 4 + count)])
    }
  }

  /// The bytes of a value, which are there as long as the rows are.
  private func value(_ row: Int, _ column: Int, count: Int? = nil) throws -> UnsafeRawBufferPointer
  {
    guard (0..<self.count).contains(row), (0..<Int(PQnfields(result))).contains(column),
      !isNull(row, column), let start = PQgetvalue(result, Int32(row), Int32(column))
    else { throw PostgresError.invalidAnswer(reason: "column \(column) has no value") }
    let length = Int(PQgetlength(result, Int32(row), Int32(column)))
    guard count == nil || count == length else {
      throw PostgresError.invalidAnswer(reason: "column \(column) has \(length) bytes")
    }
    return UnsafeRawBufferPointer(start: start, count: length)
  }
}
