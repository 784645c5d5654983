import Foundation

/// The secrets of one run of the server.
struct AccessTokens: Sendable {
  /// What the printed address carries; it is taken once for each browser that opens it.
  let link: String
  /// What the cookie of a browser that came with the link holds.
  let session: String

  init() {
    link = Self.random()
    session = Self.random()
  }

  /// 128 bits of the system's random numbers, in hexadecimal digits.
  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let parts: [UInt64] = [generator.next(), generator.next()]
    return parts.map { part in
      let digits = String(part, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension String {
  /// Whether two secrets are the same; the time that this takes does not tell where they differ.
  func isSameSecret(as other: String) -> Bool {
    let (mine, others) = (Array(utf8), Array(other.utf8))
    guard mine.count == others.count else { return false }
    return zip(mine, others).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
