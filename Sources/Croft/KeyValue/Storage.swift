import CroftFoundation
import LMDB

/// A few values by name, such as settings, that are kept when the program ends.
///
/// Many objects of one kind belong in a ``Store`` of their own.
///
/// ```swift
/// StoreStorage.shared.save(settings, forKey: "settings")
/// let settings: Settings? = StoreStorage.shared.load(forKey: "settings")
/// ```
///
/// These three calls report errors to ``ThrowingStorage/onError``; the variants whose names begin
/// with *try* throw them.
public protocol Storage {
  /// The instance with the program's default file.
  static var shared: Self { get }

  /// Stores a value by name, replacing an earlier one.
  ///
  /// - Parameters:
  ///   - value: The value, which becomes JSON.
  ///   - key: The name.
  func save<T: Encodable>(_ value: T, forKey key: String)

  /// Finds the value under a name.
  ///
  /// - Returns: The value; nil if there is none, or if it cannot be read.
  func load<T: Decodable>(forKey key: String) -> T?

  /// Removes the value under a name, if there is one.
  func remove(forKey key: String)
}

/// A storage with variants of its calls that throw errors.
///
/// Threads: any.
public protocol ThrowingStorage: Storage, AnyObject, Sendable {
  /// Stores a value by name, replacing an earlier one.
  ///
  /// - Throws: ``StoreError``; the earlier value then stays.
  func trySave<T: Encodable>(_ value: T, forKey key: String) throws

  /// Finds the value under a name.
  ///
  /// - Returns: The value; nil if there is none.
  /// - Throws: ``StoreError``, in particular ``StoreError/notCodable(key:reason:)`` for a value of
  ///   another type.
  func tryLoad<T: Decodable>(forKey key: String) throws -> T?

  /// Removes the value under a name, if there is one.
  ///
  /// - Throws: ``StoreError``; the value then stays.
  func tryRemove(forKey key: String) throws

  /// Called with each error of a call that does not throw; nil writes it to standard error.
  ///
  /// Threads: called on the thread that made the call.
  var onError: (@Sendable (StorageFailure) -> Void)? { get set }
}

/// The error of a call that does not throw.
public struct StorageFailure: Error, Sendable, Hashable {
  /// The calls that can fail.
  public enum Operation: String, Sendable {
    /// The value was not stored.
    case save
    /// The value was not read.
    case load
    /// The value was not removed.
    case remove
  }

  /// The call that failed.
  public let operation: Operation
  /// The name of the value.
  public let key: String
  /// The error.
  public let error: StoreError
}

extension StorageFailure: CustomStringConvertible {
  /// The call, the name, the error and its remedy.
  public var description: String { "Cannot \(operation.rawValue) \(key.printable): \(error)" }
}

extension ThrowingStorage {
  /// Stores a value by name, or reports an error; see ``Storage``.
  public func save<T: Encodable>(_ value: T, forKey key: String) {
    reporting(.save, key) { try trySave(value, forKey: key) }
  }

  /// Finds the value under a name, or reports an error; see ``Storage``.
  public func load<T: Decodable>(forKey key: String) -> T? {
    reporting(.load, key) { try tryLoad(forKey: key) } ?? nil
  }

  /// Removes the value under a name, or reports an error; see ``Storage``.
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
      if let onError { onError(failure) } else { StoreDiagnostic.StandardError.write("\(failure)") }
      return nil
    }
  }
}

/// Encodes values as JSON and decodes them, with errors that name the key.
enum StorageCoding {
  /// A value as JSON with sorted members.
  static func json<T: Encodable>(_ value: T, _ key: String) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(value)
    } catch {
      throw StoreError.notCodable(key: key, reason: reason(error))
    }
  }

  static func value<T: Decodable>(_ json: Data, _ key: String) throws -> T {
    do {
      return try JSONDecoder().decode(T.self, from: json)
    } catch {
      throw StoreError.notCodable(key: key, reason: reason(error))
    }
  }

  /// The reason of a coder's error, without the name of the error's type.
  private static func reason(_ error: any Error) -> String {
    let context: (String, [any CodingKey])? =
      switch error {
      case EncodingError.invalidValue(_, let context):
        (context.debugDescription, context.codingPath)
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
        (context.debugDescription, context.codingPath)
      default: nil
      }
    guard let (text, path) = context else { return "\(error)" }
    let sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
    let place = path.map(\.stringValue).joined(separator: ".")
    return place.isEmpty ? sentence : "\(sentence) at \(place)"
  }
}

/// The default files of storages.
enum DefaultStorageFile {
  /// A file in the program's folder in the user's data directory; a missing folder is created.
  ///
  /// On Linux that is `$XDG_DATA_HOME/PROGRAM`, by default `~/.local/share/PROGRAM`.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` if there is no such directory.
  static func file(named name: String) throws -> URL {
    let program = ProcessInfo.processInfo.processName
    let homes = FileManager.default.urls(
      for: .applicationSupportDirectory, in: .userDomainMask)
    guard let home = homes.first else {
      throw StoreError.cannotOpen(
        path: name, reason: "the user has no folder for data; give the storage a place")
    }
    let folder = home.appending(path: program)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.cannotOpen(
        path: folder.path, reason: "the folder cannot be made (\(error)); give another place")
    }
    return folder.appending(path: name)
  }
}
