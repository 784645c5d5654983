import Foundation
import Testing
import TestSupport

@testable import Croft

/// One column of a random compound key.
private struct KeyColumn {
  let schema: ColumnDefinition
  let isDescending: Bool

  func code(of value: StoredValue) -> [UInt8] {
    let code = schema.storage.code(of: value, cut: nil).bytes
    guard isDescending else { return code }
    var buffer = _ByteBuffer()
    code.withUnsafeBytes { buffer.append(contentsOf: $0) }
    buffer.invert(from: 0)
    return Array(buffer.bytes)
  }

  func order(_ left: StoredValue, _ right: StoredValue) -> Int {
    isDescending ? right.order(to: left) : left.order(to: right)
  }
}

extension SeededGenerator {
  fileprivate mutating func column() -> KeyColumn {
    let storage = StorageType(example: pick(StorageType.Kind.allCases))
    let schema = ColumnDefinition(name: "c", storage: oneIn(2) ? storage.optional : storage)
    return KeyColumn(schema: schema, isDescending: oneIn(2))
  }
}

private func sign(_ number: Int) -> Int { number.signum() }

private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
  left.withUnsafeBytes { left in right.withUnsafeBytes { ByteList.compare(left, $0) } }
}

@Suite struct KeyCodeTests {
  @Test func codesOfCompoundsCompareAsTheirValuesDo() {
    var random = SeededGenerator.forTest("K1 order")
    for _ in 0..<250 {
      let columns = (0...random.below(3)).map { _ in random.column() }
      let rows = (0..<16).map { _ in columns.map { random.value(of: $0.schema.storage) } }
      let codes = rows.map { row in zip(columns, row).map { $0.code(of: $1) } }
      for (left, right) in pairs(of: rows.count) {
        let orders = columns.indices.map { columns[$0].order(rows[left][$0], rows[right][$0]) }
        let expected = orders.first { $0 != 0 } ?? 0
        let actual = compare(codes[left].flatMap { $0 }, codes[right].flatMap { $0 })
        if sign(actual) != sign(expected) {
          Issue.record("seed \(random.seed): \(columns): \(rows[left]) and \(rows[right])")
        }
        checkPrefixes(codes[left], codes[right], orders, random.seed)
      }
    }
  }

  /// Under the codes of some columns' values there are no keys of other values.
  private func checkPrefixes(
    _ left: [[UInt8]], _ right: [[UInt8]], _ orders: [Int], _ seed: UInt64
  ) {
    for count in 1...orders.count {
      let isPrefix = right.flatMap { $0 }.starts(with: left.prefix(count).flatMap { $0 })
      let isEqual = orders.prefix(count).allSatisfy { $0 == 0 }
      if isPrefix != isEqual { Issue.record("seed \(seed): \(left) is a prefix of \(right)") }
    }
  }

  private func pairs(of count: Int) -> [(Int, Int)] {
    (0..<count).flatMap { left in (0..<count).map { (left, $0) } }
  }

  @Test(arguments: StorageType.Kind.allCases)
  func theLengthOfACodeIsReadFromItsBytes(kind: StorageType.Kind) {
    var random = SeededGenerator.forTest("K1 length")
    for isOptional in [false, true] {
      let example = StorageType(example: kind)
      let storage = isOptional ? example.optional : example
      let schema = ColumnDefinition(name: "c", storage: storage)
      for _ in 0..<200 {
        let code = schema.storage.code(of: random.value(of: storage), cut: nil).bytes
        let behind = random.data(longest: 20)
        let length = (code + behind).withUnsafeBytes { KeyCode.length(of: storage, in: $0) }
        #expect(length == code.count, "seed \(random.seed)")
        // A truncated code is refused.
        let short = code.dropLast().withUnsafeBytes { KeyCode.length(of: storage, in: $0) }
        #expect(short == nil, "seed \(random.seed)")
      }
    }
  }

  @Test func equivalentTextsHaveOneCode() {
    let pairs = [
      ("é", "e\u{301}"), ("Å", "\u{212B}"), ("할", "\u{1112}\u{1161}\u{11AF}"),
      ("q\u{323}\u{307}", "q\u{307}\u{323}"), ("a\0é\0", "a\0e\u{301}\0"),
    ]
    for (left, right) in pairs {
      #expect(left == right)
      #expect(Array(left.utf8) != Array(right.utf8))
      let schema = ColumnDefinition(name: "c", storage: StorageType(.string))
      #expect(
        schema.storage.code(of: .string(left), cut: nil).bytes
          == schema.storage.code(of: .string(right), cut: nil).bytes)
    }
  }

  @Test func codesAreWhatTheFormatSays() {
    func hex(_ value: StoredValue, _ kind: StorageType.Kind, isOptional: Bool = false) -> String {
      let schema = ColumnDefinition(name: "c", storage: StorageType(kind, isOptional: isOptional))
      return schema.storage.code(of: value, cut: nil).bytes.map { String(format: "%02X", $0) }
        .joined()
    }
    #expect(hex(.int(-1), .int8) == "7FFFFFFFFFFFFFFF")
    #expect(hex(.int(1), .int64) == "8000000000000001")
    #expect(hex(.uint(1), .uint16) == "0000000000000001")
    #expect(hex(.bool(true), .bool) == "01")
    #expect(hex(.double(0), .double) == "8000000000000000")
    #expect(hex(.double(-0.0), .double) == "8000000000000000")
    #expect(hex(.double(1), .double) == "BFF0000000000000")
    #expect(hex(.double(-1), .double) == "400FFFFFFFFFFFFF")
    #expect(hex(.double(.nan), .double) == "FFF8000000000000")
    #expect(hex(.double(-.nan), .double) == "FFF8000000000000")
    #expect(hex(.double(1), .float) == "BF800000")
    #expect(hex(.date(1), .date) == "BFF0000000000000")
    #expect(hex(.string("a\0b"), .string) == "6100FF620000")
    #expect(hex(.data([0, 0xFF]), .data) == "00FFFF0000")
    #expect(hex(.string(""), .string, isOptional: true) == "010000")
    #expect(hex(.none, .string, isOptional: true) == "00")
    #expect(hex(.uuid(1, 2), .uuid) == "00000000000000010000000000000002")
  }

  /// An index's entries are made from rows, its ranges from values: both must say the same.
  @Test func codesFromRowsAreThoseFromValues() throws {
    var random = SeededGenerator.forTest("K1 from rows")
    let layout = RecordLayout(schema: Anything._schema.erased, id: 1)
    var encoder = _RecordEncoder()
    for id in 0..<300 {
      let object = random.anything(id)
      encoder.begin(layout)
      object._encode(into: &encoder)
      let row = encoder.view
      for (column, value) in zip(layout.columns, object.values) {
        let schema = layout.schema.columns[column.index]
        let cut = random.oneIn(2) ? nil : random.pick([5, 20, 292])
        var code = _ByteBuffer()
        try code.appendCode(of: column, in: row, layout: layout, cut: cut)
        #expect(
          Array(code.bytes) == schema.storage.code(of: value, cut: cut).bytes,
          "seed \(random.seed): \(schema.name) \(value)")
        #expect(try column.value(in: row, layout).order(to: value) == 0)
      }
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func anything(_ id: Int) -> Anything {
    Anything(
      id: id, bool: maybe { $0.oneIn(2) }, int8: maybe { Int8(truncatingIfNeeded: $0.signed()) },
      string: maybe { $0.anyText() }, int16: maybe { Int16(truncatingIfNeeded: $0.signed()) },
      int32: maybe { Int32(truncatingIfNeeded: $0.signed()) }, int64: maybe { $0.signed() },
      int: maybe { Int($0.signed()) }, uint8: maybe { UInt8(truncatingIfNeeded: $0.unsigned()) },
      uint16: maybe { UInt16(truncatingIfNeeded: $0.unsigned()) },
      data: maybe { Data($0.data()) }, uint32: maybe { UInt32(truncatingIfNeeded: $0.unsigned()) },
      uint64: maybe { $0.unsigned() }, uint: maybe { UInt($0.unsigned()) },
      float: maybe { Float($0.real()) }, double: maybe { $0.real() },
      date: maybe { Date(timeIntervalSinceReferenceDate: $0.real()) }, uuid: maybe { $0.uuid() },
      genre: maybe { $0.pick(Genre.allCases) }, shade: maybe { $0.pick(Shade.allCases) },
      last: maybe { $0.text() })
  }
}

extension Anything {
  /// The properties as conditions hold them, in declaration order.
  fileprivate var values: [StoredValue] {
    [
      id.stored, bool.stored, int8.stored, string.stored, int16.stored, int32.stored, int64.stored,
      int.stored, uint8.stored, uint16.stored, data.stored, uint32.stored, uint64.stored,
      uint.stored, float.stored, double.stored, date.stored, uuid.stored, genre.stored,
      shade.stored, last.stored,
    ]
  }
}
