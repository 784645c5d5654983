/// An error of the storage engine: the operation and what went wrong.
///
/// Catch by code:
/// ```swift
/// do {
///   try environment.write { transaction in try transaction.put(value, at: key, in: people) }
/// } catch LMDBError.Code.busy {
///   // another writer held the lock for too long
/// }
/// ```
/// Threads: any; it is a value.
public struct LMDBError: Error, Sendable, Hashable {
  /// The operation that failed.
  public let operation: Operation
  /// What went wrong.
  public let code: Code
  /// Details such as paths and numbers; empty when there are none.
  public let detail: String

  /// An error of an operation with a code and details.
  package init(_ operation: Operation, _ code: Code, _ detail: String = "") {
    self.operation = operation
    self.code = code
    self.detail = detail
  }

  /// Whether the same work may succeed when it is repeated.
  public var isRetryable: Bool {
    [.mapFull, .mapResized, .busy, .readersFull, .replaced].contains(code)
  }

  /// Whether the file is damaged.
  package var isDamage: Bool { [.corrupted, .pageNotFound, .truncated].contains(code) }
}

extension LMDBError {
  /// An operation that can fail.
  public enum Operation: String, Sendable {
    /// Opening or creating the file.
    case open
    /// Beginning a read transaction.
    case beginRead = "begin to read"
    /// Beginning a write transaction, or one nested in it.
    case beginWrite = "begin to write"
    /// Committing.
    case commit
    /// Opening or creating a named database.
    case openDatabase = "open a database"
    /// Reading one value.
    case get
    /// Counting the rows of a database.
    case count
    /// Moving over rows.
    case scan
    /// Writing one row.
    case put
    /// Deleting rows.
    case delete
    /// Deleting all rows of a database.
    case empty
    /// Writing a sorted batch.
    case apply
    /// Copying the file, or replacing it by a copy.
    case copy
  }
}

extension LMDBError {
  /// What went wrong and what to do about it, without the full stop.
  package var explanation: String {
    let text = code.explanation
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension LMDBError: CustomStringConvertible {
  /// The operation, what went wrong, and what to do about it.
  public var description: String {
    let subject = detail.isEmpty ? "" : " (\(detail.printable))"
    return "Cannot \(operation.rawValue)\(subject): \(code.explanation) [\(code.rawValue)]"
  }
}

extension String {
  /// The text with control characters escaped, so that a terminal shows them.
  ///
  /// Names and contents of files may come from other users. Control characters and marks that change
  /// the direction of writing become `\u{1b}` and the like; a line feed and a tab become `\n` and
  /// `\t`.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.isTerminalControl: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a terminal would interpret the code point instead of drawing it.
  fileprivate var isTerminalControl: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
