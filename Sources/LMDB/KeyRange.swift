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
    guard let last = bytes.lastIndex(where: { $0 != 0xFF }) else {
      return KeyRange(lower: bytes.isEmpty ? .unbounded : .inclusive(bytes))
    }
    var end = Array(bytes[...last])
    end[last] += 1
    return KeyRange(lower: .inclusive(bytes), upper: .exclusive(end))
  }

  /// The direction of a scan.
  public enum Direction: Sendable {
    /// From the first key to the last.
    case forward
    /// From the last key to the first.
    case backward
  }
}
