import LMDB
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Values under names, kept in one JSON file that people can read and edit.
///
/// The file is an object with a member for each value, readable by its owner only. Each change puts
/// a new file in the place of the old one, on the disk before the call returns, so that there is
/// always a whole one. A file that is no JSON object is an error, and is left as it is.
///
/// Each call reads the file anew. Processes, and two storages of one file, that change it at the same
/// moment may overwrite each other's change; where that can happen, use ``StoreStorage``.
///
/// Threads: any.
public final class JSONFileStorage: ThrowingStorage {
  /// The one at the program's default place.
  ///
  /// On Linux its file is `storage.json` in `$XDG_DATA_HOME/PROGRAM`, by default in
  /// `~/.local/share/PROGRAM`.
  public static let shared = JSONFileStorage(at: nil)

  private let url: URL?
  private let handler = Mutex<(@Sendable (StorageFailure) -> Void)?>(nil)
  /// Held while the file is read and replaced, so that the threads of one process take turns.
  private let turn = Mutex(())

  /// A storage in a file of one's own.
  ///
  /// - Parameter url: The file, made by the first value that is saved; its folder must exist.
  public convenience init(at url: URL) {
    self.init(at: Optional(url))
  }

  private init(at url: URL?) { self.url = url }

  /// Who hears what went wrong in calls that do not throw; nil for a line on the standard error.
  public var onError: (@Sendable (StorageFailure) -> Void)? {
    get { handler.withLock { $0 } }
    set { handler.withLock { $0 = newValue } }
  }

  /// Keeps a value under a name, in the place of an earlier one; see ``ThrowingStorage``.
  ///
  /// - Complexity: O(bytes of the file).
  public func trySave<T: Encodable>(_ value: T, forKey key: String) throws {
    let json = try ValueCoding.json(value, key)
    try change { $0[key] = json }
  }

  /// Finds the value under a name; see ``ThrowingStorage``.
  ///
  /// - Complexity: O(bytes of the file).
  public func tryLoad<T: Decodable>(forKey key: String) throws -> T? {
    let json = try turn.withLock { _ in try members(of: file())[key] }
    return try json.map { try ValueCoding.value($0, key) }
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

  /// The file itself: a link to it stays a link, unless another user put it there.
  private func file() throws -> URL {
    let file = try url ?? DefaultPlace.file(named: "storage.json")
    guard !FilePlace.isForeignLink(file.path) else {
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
      let draft = try DraftFile(of: file.path, mode: 0o600)
      try draft.write(bytes)
      try draft.synchronize()
      try draft.publish(replacesExisting: true)
    } catch {
      throw StoreError(error, copyingTo: file.path)
    }
  }
}
