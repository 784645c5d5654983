import Foundation
import TestSupport

// Values that find mistakes: few different ones, edges, and lengths around those that count.

extension SeededGenerator {
  private static let words = [
    "", "a", "b", "A", "ab", "aB", "é", "e\u{301}", "É", "ß", "SS", "z", "\0", "a\0", "red", "Red",
    "100%", "a*b", "x?y", "\\", "한", "\u{1112}\u{1161}\u{11AB}", "Å", "\u{212B}", "ñ", "🙂",
  ]

  mutating func text() -> String {
    if !oneIn(24) { return oneIn(4) ? pick(Self.words) + pick(Self.words) : pick(Self.words) }
    // Longer than an index keeps, and often the same, or the same but for the end.
    if oneIn(2) { return String(repeating: "x", count: 480) + pick(["a", "b"]) }
    // Around what indexes keep, a page, and 64 KiB.
    let count = pick([150, 199, 200, 285, 292, 293, 480, 509, 511, 2_000, 4_050, 4_096])
    return String(repeating: pick(["x", "x", "é"]), count: count) + pick(Self.words)
  }

  /// A text or data that fills pages.
  mutating func length() -> Int {
    oneIn(3) ? pick([65_500, 65_535, 65_536, 70_000]) : pick([1_990, 2_040, 4_000, 4_096, 8_200])
  }

  mutating func value(of kind: Kind, _ twin: Twin) -> Value {
    switch kind {
    case .bool: return .bool(oneIn(2))
    case .int(let bits):
      let edge: [Int64] = [.min >> (64 - bits), -1, 0, 1, .max >> (64 - bits)]
      return .int(oneIn(6) ? pick(edge) : Int64(below(12)) - 4)
    case .uint(let bits):
      return .uint(oneIn(6) ? pick([0, 1, .max >> (64 - bits)]) : UInt64(below(9)))
    case .float: return .real(Double(Float(real())))
    case .double: return .real(real())
    case .date: return .date(oneIn(12) ? pick([.nan, -0.0, .infinity]) : Double(below(9)) - 3)
    case .uuid: return uuid(below(12))
    case .text:
      if oneIn(500) { return .text(String(repeating: "y", count: length()) + pick(Self.words)) }
      return .text(text())
    case .url: return .text("https://a.org/\(below(8))")
    case .bytes:
      if oneIn(200) { return .bytes([UInt8](repeating: 7, count: length())) }
      return .bytes((0..<below(5)).map { _ in pick([0, 1, 0x61, 0x7F, 0xFF]) })
    case .decimal:
      return .decimal(
        pick(["0", "1", "-1", "1.5", "0.10", "-2.25", "1000000", "NaN", "123456789012345678901.5"]))
    case .cases(let values): return pick(values)
    case .reference(let model):
      let rows = twin.rows(model)
      if oneIn(200) { return strayKey(of: model, twin) }
      return rows.isEmpty ? .null : rows[below(min(rows.count, 300))].key
    case .parts(let kinds), .structure(let kinds):
      return .parts(kinds.map { value(of: $0, twin) })
    case .optional(let kind): return oneIn(4) ? .null : value(of: kind, twin)
    case .array(let kind):
      let count = oneIn(40) ? 60 : below(5)
      let values = (0..<count).map { _ in value(of: kind, twin) }
      return .list(kind.isOptional ? values : values.filter { $0 != .null })
    case .set(let kind):
      var seen: Set<Value> = []
      let values = (0..<below(5)).map { _ in value(of: kind, twin) }
        .filter { seen.insert($0.identity).inserted && (kind.isOptional || $0 != .null) }
      return .list(values.sorted { $0.order(to: $1) < 0 })
    case .dictionary(let kind):
      var seen: Set<Value> = []
      let pairs = (0..<below(4)).map { _ in (Value.text(text()), value(of: kind, twin)) }
        .filter { seen.insert($0.0.identity).inserted && (kind.isOptional || $0.1 != .null) }
      return .list(
        pairs.map { .parts([$0.0, $0.1]) }.sorted { $0.order(to: $1) < 0 })
    case .coded: return .list((0..<below(3)).map { _ in .int(Int64(below(9))) })
    }
  }

  private mutating func real() -> Double {
    if oneIn(8) { return pick([.nan, 0, -0.0, .infinity, -.infinity, 1e300, -1e300]) }
    return Double(below(20)) / 4 - 2
  }

  private func uuid(_ number: Int) -> Value {
    var random = SeededGenerator(seed: UInt64(number))
    return .uuid((0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  /// The key with a number, one for each number below `most`.
  func key(_ number: Int, _ kind: Kind, _ twin: Twin) -> Value {
    switch kind {
    case .bool: return .bool(number % 2 == 1)
    case .int(let bits):
      let half: Int64 = bits == 8 ? 128 : 1 << 20
      return .int(Int64(number) % (2 * half) - (bits == 8 ? half : 4))
    case .uint(let bits): return .uint(UInt64(number) % (bits == 8 ? 256 : 1 << 15))
    case .float, .double: return .real(Double(number))
    case .date: return .date(Double(number) / 2 - 3)
    case .uuid: return uuid(number)
    case .text: return .text(number % 7 == 0 ? "é\(number)" : "k\(number)")
    case .url: return .text("https://a.org/\(number)")
    case .bytes: return .bytes([UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)])
    case .decimal: return .decimal("\(number)")
    case .cases(let values): return values[number % values.count]
    case .reference(let model):
      let keys = twin.rows(model).map(\.key)
      return keys.isEmpty ? .null : keys[number % keys.count]
    case .parts(let kinds): return .parts(keyParts(number, kinds, twin))
    case .optional, .array, .set, .dictionary, .coded, .structure:
      preconditionFailure("A primary key is of none of these.")
    }
  }

  /// The values of several key properties, of which the last changes fastest.
  func keyParts(_ number: Int, _ kinds: [Kind], _ twin: Twin) -> [Value] {
    var rest = number
    var values: [Value] = []
    for (place, kind) in kinds.reversed().enumerated() {
      let isLast = place == kinds.count - 1
      values.append(key(isLast ? rest : rest % 5, kind, twin))
      rest /= 5
    }
    return values.reversed()
  }

  /// A new object with a key's number.
  mutating func row(_ shape: any Shape, _ number: Int, _ twin: Twin) -> Fields {
    var row: Fields = [:]
    let kinds = shape.key.map { shape.info($0)?.kind ?? .bool }
    for (field, value) in zip(shape.key, keyParts(number, kinds, twin)) { row[field] = value }
    for info in shape.stored where !shape.key.contains(info.name) {
      row[info.name] = value(of: info, shape, twin)
    }
    return row
  }

  /// A value of a property; one that must be unique is often one of two that indexes truncate.
  mutating func value(of info: FieldInfo, _ shape: any Shape, _ twin: Twin) -> Value {
    let isUnique = shape.uniques.contains { $0.contains(info.name) }
    guard isUnique, info.kind.unwrapped == .text, oneIn(5) else {
      return value(of: info.kind, twin)
    }
    return .text(String(repeating: "x", count: 480) + pick(["a", "b"]))
  }

  /// Whether all that an object must refer to is there.
  func isPossible(_ row: Fields, _ shape: any Shape) -> Bool {
    shape.stored.allSatisfy { info in
      if case .reference = info.kind { return row[info.name] != .null }
      return true
    }
  }
}
