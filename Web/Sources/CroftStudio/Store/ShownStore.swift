import Croft
import Foundation
import Synchronization

/// The store that the pages show, which is opened again when another file takes the place of its own.
///
/// Threads: any.
final class ShownStore: Sendable {
  /// How often a file is opened while another read has the one before it open.
  private static let attemptsMax = 20
  private static let secondsBetweenAttempts = 0.05
  /// How long a page waits for another program that writes.
  private static let writerTimeout = Duration.seconds(3)
  private static let pauseAfterFailure = Duration.seconds(1)

  /// The path of the file.
  let path: String
  /// Whether pages may change the store.
  let isWritable: Bool
  private struct State {
    var store: Store?
    /// Why the file could not be opened, and how long that is not tried again.
    var failure: (error: any Error, end: ContinuousClock.Instant)?
  }

  private let state: Mutex<State>
  /// What reads the store now.
  private let readers = Mutex<[ObjectIdentifier: QueryProgress]>([:])
  /// By the name of a model and its properties, those whose values only their program knows.
  private let unlisted = Mutex<[String: (of: [StoredModel.Property], names: Set<String>)]>([:])
  private let observer = Mutex<(@Sendable () -> Void)?>(nil)

  /// Opens a store.
  ///
  /// - Throws: An error of the store for a file that cannot be opened.
  init(path: String, isWritable: Bool) throws {
    (self.path, self.isWritable) = (path, isWritable)
    state = Mutex(State(store: try Self.open(path, isWritable: isWritable)))
  }

  /// Shows a store that is open, such as one in memory.
  init(_ store: Store, path: String, isWritable: Bool) {
    (self.path, self.isWritable) = (path, isWritable)
    state = Mutex(State(store: store))
  }

  private static func open(_ path: String, isWritable: Bool) throws -> Store {
    // Opening for writing makes a file that is missing, and opening for reading refuses it.
    if isWritable, !FileManager.default.fileExists(atPath: path) {
      _ = try open(path, isWritable: false)
    }
    var options = Store.Options()
    options.isReadOnly = !isWritable
    options.usesStoredModels = isWritable
    options.writerTimeout = writerTimeout
    return try Store.open(at: URL(filePath: path), models: [], options: options)
  }

  /// The store, opened again where its file was replaced.
  ///
  /// Nobody keeps it longer than for one read or write: a file cannot be opened while the process has the one before
  /// it open.
  ///
  /// - Throws: An error of the store for a file that cannot be opened.
  var current: Store {
    get throws {
      try state.withLock { state in
        if let store = state.store { return store }
        if let failure = state.failure, ContinuousClock.now < failure.end { throw failure.error }
        do {
          let store = try openAgain()
          (state.store, state.failure) = (store, nil)
          return store
        } catch {
          // Pages that are asked for meanwhile need not try it too.
          state.failure = (error, .now + Self.pauseAfterFailure)
          throw error
        }
      }
    }
  }

  /// Opens the file; others may let go of the store before it a little later.
  private func openAgain() throws -> Store {
    for _ in 1..<Self.attemptsMax {
      do {
        return try Self.open(path, isWritable: isWritable)
      } catch let error as StoreError {
        guard case .fileReplaced = error else { throw error }
        Thread.sleep(forTimeInterval: Self.secondsBetweenAttempts)
      }
    }
    return try Self.open(path, isWritable: isWritable)
  }

  /// What people should know of the store; nil for nothing.
  ///
  /// - Throws: An error of the store for a file that cannot be opened.
  var notice: String? {
    get throws {
      guard try current.isPrivate else { return nil }
      return
        "The journal of this file could not be replayed, because its files cannot be written to. These pages "
        + "show a copy from when the studio opened it: start the studio again to see later commits."
    }
  }

  /// Reads; of a file that was replaced, the new one.
  ///
  /// On a thread of a ``QueryQueue`` the read ends with the query.
  ///
  /// - Throws: What the closure throws; ``QueryProgress/Stop``; an error of the store.
  func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    guard let progress = QueryProgress.current else { return try use { try $0.read(body) } }
    return try use { store in
      readers.withLock { $0[ObjectIdentifier(progress)] = progress }
      defer { readers.withLock { $0[ObjectIdentifier(progress)] = nil } }
      return try store.read(onProgress: { try progress.check() }, body)
    }
  }

  /// Checks all of the store; the check ends with its query.
  ///
  /// - Throws: As ``read(_:)``.
  func verify(keepingProblems limit: Int) throws -> Verification {
    guard let progress = QueryProgress.current else {
      return try use { try $0.verify(keepingProblems: limit) }
    }
    return try use { store in
      readers.withLock { $0[ObjectIdentifier(progress)] = progress }
      defer { readers.withLock { $0[ObjectIdentifier(progress)] = nil } }
      return try store.verify(keepingProblems: limit) { try progress.check() }
    }
  }

  /// The models of the store.
  ///
  /// - Throws: As ``read(_:)``.
  var models: [StoredModel] { get throws { try read { try $0.models() } } }

  /// Uses the store; of a file that was replaced, the new one.
  ///
  /// - Throws: What the closure throws; an error of the store.
  func use<R>(_ body: (Store) throws -> R) throws -> R {
    do {
      let store = try current
      do {
        return try body(store)
      } catch let error as StoreError {
        guard case .fileReplaced = error else { throw error }
        forget(store)
      }
    }
    return try body(current)
  }

  /// Changes the store; where its file was replaced, nothing is changed, and the next page shows the new one.
  ///
  /// - Throws: What the closure throws; an error of the store.
  func write<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    let store = try current
    do {
      return try store.write(body)
    } catch let error as StoreError {
      if case .fileReplaced = error { forget(store) }
      throw error
    }
  }

  /// Makes changes that are rolled back, to learn what the store says of them.
  ///
  /// - Throws: As ``write(_:)``.
  func tryOut<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    var found: R?
    do {
      return try write { tx throws -> R in
        found = try body(&tx)
        throw RolledBack()
      }
    } catch let end as RolledBack {
      guard let found else { throw end }
      return found
    }
  }

  /// The properties of a model whose values only its program knows, which are asked for once for the same properties.
  ///
  /// None are known while another program writes for long; the store refuses their values all the same.
  ///
  /// - Throws: As ``write(_:)``.
  func unlistedProperties(of model: StoredModel) throws -> Set<String> {
    let known = unlisted.withLock { $0[model.name] }
    if let known, known.of == model.properties { return known.names }
    do {
      let names = try tryOut { try model.unlistedProperties(in: &$0) }
      unlisted.withLock { $0[model.name] = (model.properties, names) }
      return names
    } catch let error as StoreError {
      guard case .busy = error else { throw error }
      return []
    }
  }

  /// Ends a transaction whose changes were only tried out.
  private struct RolledBack: Error {}

  /// Sets what is called when the store is let go of, so that another one can be opened.
  func onForget(_ action: @escaping @Sendable () -> Void) { observer.withLock { $0 = action } }

  /// Lets go of the store; what still reads it ends, because another one cannot be opened before.
  private func forget(_ old: Store) {
    let isKnown = state.withLock { state in
      guard state.store === old else { return false }
      state.store = nil
      return true
    }
    // Another thread has let go of it before.
    guard isKnown else { return }
    observer.withLock { $0 }?()
    for reader in readers.withLock({ Array($0.values) }) { reader.cancel() }
  }
}
