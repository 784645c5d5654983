import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values under names, kept from one run of a program to the next.
///
/// For a few settings; objects of which there are many belong in a ``Store`` of their own.
/// ```swift
/// StoreStorage.shared.save(settings, forKey: "settings")
/// let settings: Settings? = StoreStorage.shared.load(forKey: "settings")
/// ```
/// These three report what goes wrong to ``ThrowingStorage/onError``; the twins whose names begin
/// with *try* throw it.
public protocol Storage {
  /// The one at the program's default place.
  static var shared: Self { get }

  /// Keeps a value under a name, in the place of an earlier one.
  ///
  /// - Parameters:
  ///   - value: The value, which becomes JSON.
  ///   - key: The name.
  func save<T: Encodable>(_ value: T, forKey key: String)

  /// Finds the value under a name.
  ///
  /// - Parameter key: The name.
  /// - Returns: The value; nil where there is none, or where it cannot be had.
  func load<T: Decodable>(forKey key: String) -> T?

  /// Removes the value under a name, if there is one.
  ///
  /// - Parameter key: The name.
  func remove(forKey key: String)
}

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

/// Values as JSON and back, with errors that name the key.
enum ValueCoding {
  /// A value as JSON, its members in one order whenever it is encoded.
  static func json<T: Encodable>(_ value: T, _ key: String) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(value)
    } catch {
      throw StoreError.notCodable(key: key, reason: reason(error))
    }
  }

  /// A value from JSON.
  static func value<T: Decodable>(_ json: Data, _ key: String) throws -> T {
    do {
      return try JSONDecoder().decode(T.self, from: json)
    } catch {
      throw StoreError.notCodable(key: key, reason: reason(error))
    }
  }

  /// What a coder complains of, without its type's name.
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

/// Where a program keeps what it is not told a place for.
enum DefaultPlace {
  /// A file in the program's own folder among the user's data, which is made when it is missing.
  ///
  /// On Linux that is `$XDG_DATA_HOME/PROGRAM`, by default `~/.local/share/PROGRAM`.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where there is no such folder.
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
