import Croft
import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
/// A repository that keeps its items and groups in a store on disk.
///
/// What a verb has returned is on disk. Other processes may use the same file; their
/// changes show in the next read.
///
/// Threads: any; the store serialises writers, and reads never wait for them.
public final class CroftTodoRepository: TodoRepository {
  private let store: Store
  private let feed = CommitFeed()
  private let limits: HistoryLimits
  private let now: @Sendable () -> Date

  /// Opens the store at a path, and makes it, with its folder, where there is none.
  ///
  /// A store made by an older program is brought up to date: its items get places in
  /// the order of their making, and are counted.
  ///
  /// - Parameters:
  ///   - path: The store's file; a relative path starts at the working directory.
  ///   - limits: How much history is kept for undo.
  ///   - now: The clock, for what is noted as the moment of a change.
  /// - Throws: ``TodoError/folder(path:cause:)`` when the folder is missing and cannot be
  ///   made; ``TodoError/storage(_:)`` when the file is no store, is damaged, is written
  ///   in a newer format or may not be opened. Such a file is left as it is.
  public init(
    path: String, limits: HistoryLimits = HistoryLimits(),
    now: @escaping @Sendable () -> Date = { .now }
  ) throws {
    let file = URL(filePath: path)
    let folder = file.deletingLastPathComponent().path
    do {
      // A folder that is made holds private data: nobody else may look in.
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw TodoError.folder(path: folder, cause: error)
    }
    self.limits = limits
    self.now = now
    store = try translating {
      let store = try Store.open(
        at: file, models: TodoGroup.self, TodoItem.self, ListTally.self, LoggedCommand.self)
      if try store.read({ tx in try tx.needsUpgrade() }) {
        try store.write { tx in try tx.upgrade() }
      }
      return store
    }
  }

  /// Does what an intent says, then tells the observers.
  @discardableResult
  public func perform(_ intent: TodoIntent) throws -> TodoReceipt {
    guard !intent.isEmpty else { return TodoReceipt(intent: intent) }
    let context = CommandContext(now: now(), limits: limits)
    let receipt = try translating { try store.write { tx in try tx.perform(intent, context) } }
    feed.publish()
    return receipt
  }

  /// Does what an intent says without blocking, then tells the observers.
  @discardableResult
  public func perform(_ intent: TodoIntent) async throws -> TodoReceipt {
    guard !intent.isEmpty else { return TodoReceipt(intent: intent) }
    let context = CommandContext(now: now(), limits: limits)
    let receipt = try await translating {
      try await store.write { tx in try tx.perform(intent, context) }
    }
    feed.publish()
    return receipt
  }

  /// Reads in one transaction.
  func read<Value>(_ body: (inout ReadTransaction) throws -> Value) throws -> Value {
    try translating { try store.read(body) }
  }

  /// Reads in one transaction without blocking.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) async throws -> Value {
    try await translating { try await store.read(body) }
  }

  /// What is read now, and again after each commit that changed it.
  func observed<Value: Equatable & Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) -> Observable<Value> {
    feed.values { [store] in try translating { try store.read(body) } }
  }
}

/// Keeps what the store throws as the cause of one of this module's errors.
private func translating<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch { throw translated(error) }
}

/// Does for an asynchronous body what its twin does for a plain one.
private func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
  do { return try await body() } catch { throw translated(error) }
}

/// A cancelled task has not failed, so its error passes, as this module's own do.
private func translated(_ error: any Error) -> any Error {
  error is TodoError || error is CancellationError ? error : TodoError.storage(error)
}
