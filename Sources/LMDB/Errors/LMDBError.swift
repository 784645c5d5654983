/// An error of the storage engine: what was being done, and what went wrong.
///
/// Catch by code:
/// ```swift
/// do {
///   try environment.write { transaction in ... }
/// } catch LMDBError.Code.busy {
///   // another writer was at work for too long
/// }
/// ```
/// Threads: a value; errors may be passed anywhere.
public struct LMDBError: Error, Sendable, Hashable {
  /// What was being done.
  public let operation: Operation
  /// What went wrong.
  public let code: Code
  /// Names and numbers of this one case; empty when there are none.
  public let detail: String

  /// An error of an operation with a code, and what is known about the case.
  package init(_ operation: Operation, _ code: Code, _ detail: String = "") {
    self.operation = operation
    self.code = code
    self.detail = detail
  }

  /// Whether the same work may succeed when it is simply done again.
  public var isRetryable: Bool {
    [.mapFull, .mapResized, .busy, .readersFull, .snapshotTooOld, .replaced].contains(code)
  }

  /// Whether the file holds what was not written so.
  package var isDamage: Bool { [.corrupted, .pageNotFound, .truncated].contains(code) }
}

extension LMDBError {
  /// What was being done when an error occurred.
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
    /// Enlarging the map.
    case grow
    /// Copying the file, or putting a copy in its place.
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
    let subject = detail.isEmpty ? "" : " (\(detail))"
    return "Cannot \(operation.rawValue)\(subject): \(code.explanation) [\(code.rawValue)]"
  }
}
