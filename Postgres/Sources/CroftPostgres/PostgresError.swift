/// Why a server did not do what it was asked for.
///
/// No case has a password in it, nor anything of a row.
public enum PostgresError: Error, Equatable, Sendable {
  /// The address cannot be used, for a reason that is a sentence.
  case invalidAddress(reason: String)
  /// The address has a password in it, which would be shown wherever the address is.
  case passwordInAddress
  /// No host was reached that takes writes.
  case unreachable(reason: String)
  /// The server does not know the role, or not with this password.
  case unauthorised(reason: String)
  /// The role may not do this.
  case forbidden(reason: String)
  /// The database has no schema of Croft, or no such space.
  case notInstalled(reason: String)
  /// The schema is of a version that this program does not know.
  case newerServer(version: Int)
  /// The schema is of an older program, whose replicas cannot read all rows of this one.
  ///
  /// `Postgres.install` makes it one of this program.
  case olderServer(version: Int)
  /// No answer came in time, so that the connection was closed.
  ///
  /// A write that was under way may have been done or not.
  case unanswered
  /// The connection ended; of a write that was under way nothing is known.
  case connectionLost(reason: String)
  /// The server did it, and has not seen it on its standbys.
  ///
  /// It may be lost, so that it counts as not known.
  case unconfirmed
  /// The server refused the statement, with its code of five characters.
  case refused(code: String, reason: String)
  /// The server sent something else than what was asked for.
  case invalidAnswer(reason: String)
}

extension PostgresError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .invalidAddress(let reason): "The address of the server cannot be used: \(reason)."
    case .passwordInAddress: "The address of the server has a password in it; leave it out."
    case .unreachable(let reason): "No server was reached that takes writes: \(reason)."
    case .unauthorised(let reason): "The server refused the login: \(reason)."
    case .forbidden(let reason): "The server does not allow it: \(reason)."
    case .notInstalled(let reason): "The database is not prepared for Croft: \(reason)."
    case .newerServer(let version):
      "The database has version \(version) of Croft's schema, which needs a newer program."
    case .olderServer(let version):
      "The database has the older version \(version) of Croft's schema; let its owner install it again."
    case .unanswered: "The server did not answer in time."
    case .connectionLost(let reason): "The connection to the server ended: \(reason)."
    case .unconfirmed: "The server wrote it, and its standbys did not confirm it."
    case .refused(let code, let reason): "The server refused it (\(code)): \(reason)."
    case .invalidAnswer(let reason): "The server sent something unexpected: \(reason)."
    }
  }
}

// MARK: - What the server says

extension PostgresError {
  /// Makes an error of a code and a message of the server.
  ///
  /// The codes are those of the appendix "Error Codes" of PostgreSQL's manual.
  init(code: String, message: String) {
    let reason = Self.sentence(message)
    switch code {
    case "42501": self = .forbidden(reason: reason)
    case "28000", "28P01": self = .unauthorised(reason: reason)
    case "3F000", "42P01", "42883", "02000": self = .notInstalled(reason: reason)
    case _ where code.hasPrefix("08") || code.hasPrefix("57P"):
      self = .connectionLost(reason: reason)
    default: self = .refused(code: code, reason: reason)
    }
  }

  /// A message as a part of a sentence: one line of it, without characters that steer a terminal.
  static func sentence(_ message: String) -> String {
    let line = message.split(whereSeparator: \.isNewline).first ?? ""
    let text = line.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 32 && $0.value != 127
    }
    let end = text.prefix(longestReason)
    return String(String.UnicodeScalarView(end)).trimmingSuffix { $0 == "." || $0 == " " }
  }

  private static let longestReason = 400
}

extension String {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
