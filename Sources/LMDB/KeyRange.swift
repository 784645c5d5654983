/// A range of keys, in the order of unsigned bytes: each end inclusive, exclusive or open.
public struct KeyRange: Sendable, Hashable {
  /// One end of a range.
  public enum Bound: Sendable, Hashable {
    /// The range extends to the first or last key.
    case unbounded
    /// The range begins or ends with this key.
    case inclusive([UInt8])
    /// The range begins after or ends before this key.
    case exclusive([UInt8])
  }

  /// Where the range begins.
  public let lower: Bound
  /// Where the range ends.
  public let upper: Bound

  /// A range between two bounds; it is empty when the lower bound is past the upper one.
  public init(lower: Bound = .unbounded, upper: Bound = .unbounded) {
    self.lower = lower
    self.upper = upper
  }

  /// All keys.
  public static let all = KeyRange()

  /// The keys that begin with some bytes; no bytes mean all keys.
  public static func prefix(_ bytes: [UInt8]) -> KeyRange {
    KeyRange(
      lower: bytes.isEmpty ? .unbounded : .inclusive(bytes),
      upper: end(ofPrefix: bytes).map { .exclusive($0) } ?? .unbounded)
  }

  /// The smallest key greater than all keys that begin with some bytes; nil if none is.
  package static func end(ofPrefix bytes: [UInt8]) -> [UInt8]? {
    guard let last = bytes.lastIndex(where: { $0 != 0xFF }) else { return nil }
    var end = Array(bytes[...last])
    end[last] += 1
    return end
  }

  /// The direction of a scan.
  public enum Direction: Sendable {
    /// From the first key to the last.
    case forward
    /// From the last key to the first.
    case backward
  }
}
