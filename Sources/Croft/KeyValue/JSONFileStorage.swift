public import CroftFoundation
import LMDB
import Synchronization

/// A storage in one JSON file, which people can read and edit.
///
/// The file is an object with a member for each value, readable by its owner only. Each change
/// replaces the file by a new one, which is on the disk before the call returns, so that the file is
/// always complete. A file that is not a JSON object throws an error and does not change.
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

  /// Called with each error of a call that does not throw; nil writes it to standard error.
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

  /// The target of a link, so that the link stays; another user's link is an error.
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

/// The members of a JSON object, with each value as its unparsed text.
///
/// A value that is not asked for is neither decoded nor encoded, so a save changes no digit of it.
struct JSONMembers {
  private var members: [(key: String, json: Data)] = []

  init() {}

  /// Reads the members of an object; nil if the bytes are no JSON object.
  init?(_ bytes: Data) {
    let bytes = [UInt8](bytes)
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    // Decoding reads the whole text, so the scanner can rely on a valid object in UTF-8.
    guard String(validating: text, as: UTF8.self) != nil,
      (try? JSONDecoder().decode([String: Skipped].self, from: Data(text))) != nil
    else { return nil }
    var scanner = MemberScanner(bytes: text)
    while let (key, json) = scanner.next() { self[key] = json }
  }

  /// Any value, which is skipped.
  private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// The text of a value; the last one if a key occurs twice.
  subscript(key: String) -> Data? {
    get { members.last { $0.key == key }?.json }
    set {
      let place = members.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let json?): members[place].json = json
      case (let place?, nil): members.remove(at: place)
      case (nil, let json?): members.append((key, json))
      case (nil, nil): break
      }
    }
  }

  /// The object as text, with a member on each line.
  func json() throws -> [UInt8] {
    let lines = try members.map { key, json in
      "  " + String(decoding: try StorageCoding.json(key, key), as: UTF8.self) + ": "
        + String(decoding: json, as: UTF8.self)
    }
    let body = lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n"
    return Array("{\(body)}\n".utf8)
  }
}

/// Finds the members of a valid JSON object.
private struct MemberScanner {
  let bytes: [UInt8]
  var place = 0

  /// The next key and the text of its value.
  mutating func next() -> (key: String, json: Data)? {
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") { place += 1 }
    guard place < bytes.count else { return nil }
    let keyStart = place
    skipString()
    // The text is valid JSON, so a key is a string.
    guard
      let key = try? JSONDecoder().decode(String.self, from: Data(bytes[keyStart..<place]))
    else { return nil }
    while bytes[place] != UInt8(ascii: ":") { place += 1 }
    place += 1
    let start = place
    skipValue()
    return (key, Data(bytes[start..<place]).trimmingSpace)
  }

  /// Moves past a value, to the comma or the brace that follows it.
  private mutating func skipValue() {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0: return
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
    }
  }

  /// Moves past a string, from its first quotation mark.
  private mutating func skipString() {
    place += 1
    while bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place += 1
  }
}

extension Data {
  fileprivate var trimmingSpace: Data {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return Data() }
    return Data(self[first...last])
  }
}
