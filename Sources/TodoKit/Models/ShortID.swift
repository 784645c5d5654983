public import CroftFoundation

/// The last digits of an item's id, four or more.
///
/// The end and not the beginning, because ids made at the same time begin with the same digits and
/// only their last digits are random.
public struct ShortID: Hashable, Sendable {
  /// The digits as a number, the last digit in the lowest four bits.
  private let digits: UInt128
  /// How many digits there are, 4 to 32.
  public let count: Int

  /// The smallest number of digits.
  public static let countMin = 4
  /// The number of digits of a whole id.
  public static let countMax = 32

  /// Reads 4 to 32 hexadecimal digits; dashes between them are skipped.
  public init?(_ word: String) {
    var digits: UInt128 = 0
    var count = 0
    for character in word where character != "-" {
      guard character.isASCII, let digit = character.hexDigitValue, count < Self.countMax
      else { return nil }
      digits = digits << 4 | UInt128(digit)
      count += 1
    }
    guard count >= Self.countMin, word.first != "-", word.last != "-" else { return nil }
    self.digits = digits
    self.count = count
  }

  /// Whether an id ends in these digits.
  public func matches(_ id: UUID) -> Bool {
    let mask = count == Self.countMax ? UInt128.max : (1 << UInt128(4 * count)) - 1
    return id.number & mask == digits
  }

  /// The ids that end in these digits, with the digits of each in the opposite order.
  var reversedIDs: ClosedRange<UUID> {
    let least = digits.nibblesReversed
    let greatest = count == Self.countMax ? least : least | (UInt128.max >> UInt128(4 * count))
    return UUID(number: least)...UUID(number: greatest)
  }

  /// The whole id, when all of its digits were given.
  public var wholeID: UUID? {
    count == Self.countMax ? UUID(number: digits) : nil
  }

  /// The number of digits in which all of the given ids differ, at least four.
  ///
  /// - Complexity: O(n log n).
  public static func count(for ids: [UUID]) -> Int {
    let sorted = ids.map { $0.number.nibblesReversed }.sorted()
    let shared = zip(sorted, sorted.dropFirst()).map { ($0 ^ $1).leadingZeroBitCount / 4 }
    return min(countMax, max(countMin, (shared.max() ?? 0) + 1))
  }

  /// The number of last digits that very probably tell an item from all others; at least four.
  ///
  /// The chance that another item ends in the same digits is below one in a thousand. A command
  /// with such digits is refused, and lists the candidates.
  public static func count(among total: Int) -> Int {
    let bits = Int.bitWidth - (total << 10).leadingZeroBitCount
    return max(countMin, (bits + 3) / 4)
  }

  /// The last digits of an id.
  public static func text(of id: UUID, count: Int) -> String {
    String(id.uuidString.lowercased().filter { $0 != "-" }.suffix(count))
  }
}

extension UUID {
  /// The id as one number, its first digit in the highest four bits.
  fileprivate var number: UInt128 {
    withUnsafeBytes(of: uuid) { bytes in
      bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
  }

  /// The id with its digits in the opposite order, so that ids with the same end are neighbours.
  var reversed: UUID { UUID(number: number.nibblesReversed) }

  fileprivate init(number: UInt128) {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { bytes in
      for index in bytes.indices {
        bytes[index] = UInt8(truncatingIfNeeded: number >> UInt128(8 * (15 - index)))
      }
    }
    self.init(uuid: uuid)
  }
}

extension UInt128 {
  /// The same hexadecimal digits in the opposite order.
  fileprivate var nibblesReversed: UInt128 {
    let low: UInt128 = 0x0F0F_0F0F_0F0F_0F0F_0F0F_0F0F_0F0F_0F0F
    return ((self & low) << 4 | (self >> 4) & low).byteSwapped
  }
}
