import LMDB
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A storage in one JSON file, which people can read and edit.
///
/// The file is an object with a member for each value, readable by its owner only. Each change
/// replaces the file by a new one, which is on the disk before the call returns, so that the file is
/// always complete. A file that is no JSON object throws an error and does not change.
///
/// Each call reads the file again. Processes, or two storages of one file, that change it at the same
/// time may overwrite each other's change; use ``StoreStorage`` where that can happen.
///
/// Threads: any.
public final class JSONFileStorage: ThrowingStorage {
  /// The instance with the program's default file.
  ///
  /// On Linux its file is `storage.json` in `$XDG_DATA_HOME/PROGRAM`, by default in
  /// `~/.local/share/PROGRAM`.
  public static let shared = JSONFileStorage(at: nil)

  private let url: URL?
  private let handler = Mutex<(@Sendable (StorageFailure) -> Void)?>(nil)
  /// Held while the file is read and replaced, so that one thread of the process does so at a time.
  private let turn = Mutex(())

  /// Makes a storage in a given file.
  ///
  /// - Parameter url: The file, which the first saved value creates; its folder must exist.
  public convenience init(at url: URL) {
    self.init(at: Optional(url))
  }

  private init(at url: URL?) { self.url = url }

  /// Gets the errors of calls that do not throw; nil writes them to the standard error.
  public var onError: (@Sendable (StorageFailure) -> Void)? {
    get { handler.withLock { $0 } }
    set { handler.withLock { $0 = newValue } }
  }

  /// Stores a value by name, replacing an earlier one; see ``ThrowingStorage``.
  ///
  /// - Complexity: O(bytes of the file).
  public func trySave<T: Encodable>(_ value: T, forKey key: String) throws {
    let json = try StorageCoding.json(value, key)
    try change { $0[key] = json }
  }

  /// Finds the value under a name; see ``ThrowingStorage``.
  ///
  /// - Complexity: O(bytes of the file).
  public func tryLoad<T: Decodable>(forKey key: String) throws -> T? {
    let json = try turn.withLock { _ in try members(of: file())[key] }
    return try json.map { try StorageCoding.value($0, key) }
  }

  /// Removes the value under a name, if there is one; see ``ThrowingStorage``.
  ///
  /// - Complexity: O(bytes of the file).
  public func tryRemove(forKey key: String) throws {
    try change { $0[key] = nil }
  }

  private func change(_ body: (inout JSONMembers) -> Void) throws {
    try turn.withLock { _ in
      let file = try file()
      var members = try members(of: file)
      let before = try members.json()
      body(&members)
      let after = try members.json()
      if after != before { try replace(file, with: after) }
    }
  }

  /// The file behind a link, so that the link stays; another user's link is an error.
  private func file() throws -> URL {
    let file = try url ?? DefaultStorageFile.file(named: "storage.json")
    guard !DirectoryEntry.isForeignLink(file.path) else {
      throw StoreError(LMDBError(.open, .foreignLink, file.path), opening: file.path)
    }
    return file.resolvingSymlinksInPath()
  }

  private func members(of file: URL) throws -> JSONMembers {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: file)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return JSONMembers()
    } catch {
      throw StoreError.cannotOpen(path: file.path, reason: "\(error)")
    }
    if bytes.isEmpty { return JSONMembers() }
    guard let members = JSONMembers(bytes) else {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "\(file.path) is no JSON object; mend it or remove it")
    }
    return members
  }

  private func replace(_ file: URL, with bytes: [UInt8]) throws {
    do {
      let draft = try TemporaryFile(of: file.path, mode: 0o600)
      try draft.write(bytes)
      try draft.synchronize()
      try draft.publish(replacesExisting: true)
    } catch {
      throw StoreError(error, copyingTo: file.path)
    }
  }
}
