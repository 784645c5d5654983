/// The whole numbers of which the relevance of an object is made.
///
/// The sum is that of BM25, with lengths and rarities rounded to quarters of an octave, so that a scan and
/// an index come to the same number, and a commit that changes a count a little changes no order.
enum RelevanceLaw {
  /// What a property adds: 65,536 for an occurrence, over 64 for a text without words.
  private static let occurrence: UInt64 = 65_536
  private static let shortest = 64
  /// What a text of the mean length adds to that, which is doubled with the length.
  private static let meanLength = 192
  /// The shares of which half of the greatest score comes.
  private static let halfway: UInt64 = 307
  /// The score of a term in a text that has nothing else, for each step of its rarity.
  private static let greatest: UInt64 = 4_096
  /// More shares than these make no difference.
  private static let mostShares: UInt64 = 1 << 32
  /// How far lengths count that are not the mean one, in quarters of an octave.
  private static let distances = -40...64

  private static let norms: [UInt64] = distances.map { distance in
    UInt64((Double(shortest) + Double(meanLength) * TextLength.octaves(distance)).rounded())
  }

  /// What the occurrences of a term in the texts of a property add to the shares of the term.
  ///
  /// - Parameters:
  ///   - length: The code of the length of the property's texts.
  ///   - mean: That of the mean of all objects.
  @inline(__always)
  static func shares(weight: Int, occurrences: Int, length: UInt8, mean: UInt8) -> UInt64 {
    let distance = min(max(Int(length) - Int(mean), distances.lowerBound), distances.upperBound)
    let count = UInt64(min(occurrences, Int(UInt32.max)))
    return UInt64(weight) * count * occurrence / norms[distance - distances.lowerBound]
  }

  /// The score of a term with the shares of all properties.
  @inline(__always)
  static func score(rarity: UInt32, shares: UInt64) -> UInt32 {
    let shares = min(shares, mostShares)
    return UInt32(UInt64(rarity) * greatest * shares / (shares + halfway))
  }

  /// How rare a term is that some of all objects have: one more for each quarter of an octave.
  static func rarity(of count: Int, among all: Int) -> UInt32 {
    if all == 0 { return 1 }
    let count = min(max(count, 1), all)
    return UInt32(1 + TextLength.quarters(of: Double(all) / Double(count)))
  }
}
