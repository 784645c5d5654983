import LMDB

/// A storage that tells what goes wrong.
///
/// Threads: any.
public protocol ThrowingStorage: Storage, AnyObject, Sendable {
  /// Keeps a value under a name, in the place of an earlier one.
  ///
  /// - Parameters:
  ///   - value: The value, which becomes JSON.
  ///   - key: The name.
  /// - Throws: ``StoreError``; the earlier value is kept then.
  func trySave<T: Encodable>(_ value: T, forKey key: String) throws

  /// Finds the value under a name.
  ///
  /// - Parameter key: The name.
  /// - Returns: The value; nil where there is none.
  /// - Throws: ``StoreError``, in particular ``StoreError/notCodable(key:reason:)`` where the
  ///   value is of another type.
  func tryLoad<T: Decodable>(forKey key: String) throws -> T?

  /// Removes the value under a name, if there is one.
  ///
  /// - Parameter key: The name.
  /// - Throws: ``StoreError``; the value is kept then.
  func tryRemove(forKey key: String) throws

  /// Who hears what went wrong in calls that do not throw; nil for a line on the standard error.
  ///
  /// Threads: called on the thread that made the call.
  var onError: (@Sendable (StorageFailure) -> Void)? { get set }
}

/// What went wrong with a value under a name.
public struct StorageFailure: Error, Sendable, Hashable {
  /// What was being done.
  public enum Operation: String, Sendable {
    /// The value was not kept.
    case save
    /// The value was not found out.
    case load
    /// The value was not removed.
    case remove
  }

  /// What was being done.
  public let operation: Operation
  /// The name of the value.
  public let key: String
  /// What went wrong.
  public let error: StoreError
}

extension StorageFailure: CustomStringConvertible {
  /// What was being done to which value, what went wrong, and what to do.
  public var description: String { "Cannot \(operation.rawValue) \(key.printable): \(error)" }
}

extension ThrowingStorage {
  /// Keeps a value under a name, or reports why not; see ``Storage``.
  public func save<T: Encodable>(_ value: T, forKey key: String) {
    reporting(.save, key) { try trySave(value, forKey: key) }
  }

  /// Finds the value under a name, or reports why not; see ``Storage``.
  public func load<T: Decodable>(forKey key: String) -> T? {
    reporting(.load, key) { try tryLoad(forKey: key) } ?? nil
  }

  /// Removes the value under a name, or reports why not; see ``Storage``.
  public func remove(forKey key: String) {
    reporting(.remove, key) { try tryRemove(forKey: key) }
  }

  @discardableResult
  private func reporting<R>(
    _ operation: StorageFailure.Operation, _ key: String, _ body: () throws -> R
  ) -> R? {
    do {
      return try body()
    } catch {
      let error = (error as? StoreError) ?? .system(reason: "\(error)", code: 0)
      let failure = StorageFailure(operation: operation, key: key, error: error)
      if let onError { onError(failure) } else { StandardError.write("\(failure)") }
      return nil
    }
  }
}
