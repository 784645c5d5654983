import Croft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
/// A repository that keeps its items and groups in a store on disk.
///
/// What a verb has returned is on disk. Other processes, and other repositories, may use the same
/// file; their changes are in the next read, and observers are told of them.
///
/// Threads: any; the store serialises writers, and reads never wait for them. Observers are told
/// of commits on one queue of the repository's own, all of them one after the other.
public final class CroftTodoRepository: TodoRepository {
  let store: TodoStore
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
    store = try TodoStore {
      let store = try Store.open(
        at: file, models: TodoGroup.self, TodoItem.self, ListTally.self, LoggedCommand.self)
      if try store.read({ tx in try tx.needsUpgrade() }) {
        try store.write { tx in try tx.upgrade() }
      }
      return store
    }
  }

  /// Does what an intent says.
  @discardableResult
  public func perform(_ intent: TodoIntent) throws -> TodoReceipt {
    guard !intent.isEmpty else { return TodoReceipt(intent: intent, changedNothing: true) }
    let context = CommandContext(now: now(), limits: limits)
    return try store.write { tx in try tx.perform(intent, context) }
  }

  /// Does what an intent says without blocking.
  @discardableResult
  public func perform(_ intent: TodoIntent) async throws -> TodoReceipt {
    guard !intent.isEmpty else { return TodoReceipt(intent: intent, changedNothing: true) }
    let context = CommandContext(now: now(), limits: limits)
    return try await store.write { tx in try tx.perform(intent, context) }
  }
}
