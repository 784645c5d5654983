import LMDB

/// Orders of key codes.
enum KeyOrder {
  static func ascendingUnique(_ codes: [[UInt8]]) -> [[UInt8]] {
    if codes.count < 2 { return codes }
    var result: [[UInt8]] = []
    for code in codes.sorted(by: { $0.lexicographicallyPrecedes($1) }) where code != result.last {
      result.append(code)
    }
    return result
  }

  /// The smallest key greater than all keys that start with `prefix`; nil if none is.
  static func successor(of prefix: [UInt8]) -> [UInt8]? {
    guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
    var next = Array(prefix[...last])
    next[last] += 1
    return next
  }

  /// The code whose order among inverted ones is the other way round.
  static func inverted(_ code: [UInt8]) -> [UInt8] { code.map { ~$0 } }
}

extension KeyRange {
  /// The keys that begin with `prefix` and go on between two bounds; nil leaves a side open.
  init(prefix: [UInt8], from: [UInt8]?, to: [UInt8]?) {
    let lower = prefix + (from ?? [])
    let upper = to.map { prefix + $0 } ?? KeyOrder.successor(of: prefix)
    self.init(
      lower: lower.isEmpty ? .unbounded : .inclusive(lower),
      upper: upper.map { .exclusive($0) } ?? .unbounded)
  }
}
