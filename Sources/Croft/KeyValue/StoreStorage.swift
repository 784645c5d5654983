public import CroftFoundation
import Synchronization

/// A storage in a store, in which each change is one durable write of one value.
///
/// Several processes may use one file at the same time. The first call opens the file.
///
/// Threads: any.
public final class StoreStorage: ThrowingStorage {
  /// The instance with the program's default file.
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

  /// Makes a storage in a given file.
  ///
  /// - Parameters:
  ///   - url: The file, which the first saved value creates; its folder must exist.
  ///   - options: How it is opened.
  public convenience init(at url: URL, options: Store.Options = Store.Options()) {
    self.init(at: Optional(url), options: options)
  }

  private init(at url: URL?, options: Store.Options) {
    self.url = url
    self.options = options
  }

  /// Called with each error of a call that does not throw; nil writes it to standard error.
  public var onError: (@Sendable (StorageFailure) -> Void)? {
    get { state.withLock { $0.onError } }
    set { state.withLock { $0.onError = newValue } }
  }

  /// Stores a value by name, replacing an earlier one; see ``ThrowingStorage``.
  public func trySave<T: Encodable>(_ value: T, forKey key: String) throws {
    let json = try StorageCoding.json(value, key)
    try opened().write { _ = try $0.upsert(KeyedValue(key: key, json: json)) }
  }

  /// Finds the value under a name; see ``ThrowingStorage``.
  public func tryLoad<T: Decodable>(forKey key: String) throws -> T? {
    guard let kept = try opened().get(KeyedValue.self, key) else { return nil }
    return try StorageCoding.value(kept.json, key)
  }

  /// Removes the value under a name, if there is one; see ``ThrowingStorage``.
  public func tryRemove(forKey key: String) throws {
    try opened().write { _ = try $0.delete(KeyedValue.self, key) }
  }

  /// The store, which the first call opens; after a failure the next call tries again.
  private func opened() throws -> Store {
    try state.withLock { state in
      if let store = state.store { return store }
      let file = try url ?? DefaultStorageFile.file(named: "storage.croft")
      let store = try Store.open(at: file, models: KeyedValue.self, options: options)
      state.store = store
      return store
    }
  }
}

/// A value of a ``StoreStorage`` as JSON, with its name.
@Model private struct KeyedValue {
  @PrimaryKey var key: String
  var json: Data
}
