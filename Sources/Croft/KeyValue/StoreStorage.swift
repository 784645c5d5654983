import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Values under names, kept in a store: each change is one durable write of its value alone.
///
/// Several processes may use one file at the same time. The file is opened by the first call.
///
/// Threads: any.
public final class StoreStorage: ThrowingStorage {
  /// The one at the program's default place.
  ///
  /// On Linux its file is `storage.croft` in `$XDG_DATA_HOME/PROGRAM`, by default in
  /// `~/.local/share/PROGRAM`.
  public static let shared = StoreStorage(at: nil, options: Store.Options())

  private struct State {
    var store: Store?
    var onError: (@Sendable (StorageFailure) -> Void)?
  }

  private let url: URL?
  private let options: Store.Options
  private let state = Mutex(State())

  /// A storage in a file of one's own.
  ///
  /// - Parameters:
  ///   - url: The file, made by the first value that is saved; its folder must exist.
  ///   - options: How it is opened.
  public convenience init(at url: URL, options: Store.Options = Store.Options()) {
    self.init(at: Optional(url), options: options)
  }

  private init(at url: URL?, options: Store.Options) {
    self.url = url
    self.options = options
  }

  /// Who hears what went wrong in calls that do not throw; nil for a line on the standard error.
  public var onError: (@Sendable (StorageFailure) -> Void)? {
    get { state.withLock { $0.onError } }
    set { state.withLock { $0.onError = newValue } }
  }

  /// Keeps a value under a name, in the place of an earlier one; see ``ThrowingStorage``.
  public func trySave<T: Encodable>(_ value: T, forKey key: String) throws {
    let json = try ValueCoding.json(value, key)
    try opened().write { _ = try $0.upsert(KeyedValue(key: key, json: json)) }
  }

  /// Finds the value under a name; see ``ThrowingStorage``.
  public func tryLoad<T: Decodable>(forKey key: String) throws -> T? {
    guard let kept = try opened().get(KeyedValue.self, key) else { return nil }
    return try ValueCoding.value(kept.json, key)
  }

  /// Removes the value under a name, if there is one; see ``ThrowingStorage``.
  public func tryRemove(forKey key: String) throws {
    try opened().write { _ = try $0.delete(KeyedValue.self, key) }
  }

  /// The store, opened by the first who asks; a failed opening is tried again by the next.
  private func opened() throws -> Store {
    try state.withLock { state in
      if let store = state.store { return store }
      let file = try url ?? DefaultPlace.file(named: "storage.croft")
      let store = try Store.open(at: file, models: KeyedValue.self, options: options)
      state.store = store
      return store
    }
  }
}

/// What a ``StoreStorage`` keeps: a value as JSON, under its name.
@Model struct KeyedValue {
  @PrimaryKey var key: String
  var json: Data
}
