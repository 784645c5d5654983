public import CroftFoundation

/// One entry of the history of a store, by which undo is asked to take back just that one.
///
/// As text it is its number and its time, such as `12-41c8f2b3a0000000`, for forms and addresses.
public struct HistoryStep: Hashable, Codable, Sendable, LosslessStringConvertible {
  /// Its number among those that the store keeps.
  ///
  /// The number of an entry that was undone is given to the next command, which has another time.
  public let number: Int64
  /// When it was performed, or redone last; nil where the store is older than these times.
  public let performedAt: Date?

  /// Makes a step of what the history says of it.
  public init(number: Int64, performedAt: Date?) {
    self.number = number
    self.performedAt = performedAt
  }

  /// Reads a step from its text; nil for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let number = Int64(parts[0]) else { return nil }
    self.number = number
    guard parts.count == 2 else {
      performedAt = nil
      return
    }
    guard let bits = UInt64(parts[1], radix: 16) else { return nil }
    performedAt = Date(timeIntervalSinceReferenceDate: TimeInterval(bitPattern: bits))
  }

  /// The step as text.
  public var description: String {
    guard let performedAt else { return "\(number)" }
    let bits = performedAt.timeIntervalSinceReferenceDate.bitPattern
    return "\(number)-\(String(bits, radix: 16))"
  }
}
