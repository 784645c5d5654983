import Foundation

/// Random texts that nobody can guess.
enum Secret {
  /// 128 bits of the system's random numbers, in hexadecimal digits.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let parts: [UInt64] = [generator.next(), generator.next()]
    return parts.map { part in
      let digits = String(part, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The secret in a file that only its user may read, which is made if it is missing.
  ///
  /// Browsers that have it may come back after the server has been started again.
  ///
  /// - Throws: An error of the system for a file that cannot be read or made.
  static func kept(at path: String) throws -> String {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      let secret = random()
      let written = write(descriptor, secret, secret.utf8.count)
      close(descriptor)
      if written == secret.utf8.count { return secret }
    }
    let secret = try String(contentsOfFile: path, encoding: .utf8)
    // Another server may be writing it, or its disk was full: then this one has a secret of its own.
    return secret.utf8.count == 32 ? secret : random()
  }
}

extension Sequence<UInt8> {
  /// A number that other bytes most likely do not have, the same in each process (FNV-1a).
  var hash: String {
    String(
      reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 },
      radix: 16)
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
