import Croft
public import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A repository that keeps its items in a store on disk.
///
/// What a verb has returned is on disk. Other processes may use the same file; their
/// changes show in the next read.
///
/// Threads: any; the store serialises writers, and reads never wait for them.
public final class CroftTodoRepository: TodoRepository {
  private let store: Store
  private let feed = CommitFeed()

  /// Opens the store at a path, and makes it, with its folder, where there is none.
  ///
  /// - Parameter path: The store's file; a relative path starts at the working
  ///   directory.
  /// - Throws: ``TodoError/folder(path:cause:)`` when the folder is missing and cannot be
  ///   made; ``TodoError/storage(_:)`` when the file is no store, is damaged, is written
  ///   in a newer format or may not be opened. Such a file is left as it is.
  public init(path: String) throws {
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
    store = try translating { try Store.open(at: file, models: TodoItem.self) }
  }

  /// The item with the given id; nil when there is none.
  public func item(_ id: UUID) throws -> TodoItem? {
    try translating { try store.read { tx in try tx.get(TodoItem.self, id) } }
  }

  /// The item with the given id, without blocking; nil when there is none.
  public func item(_ id: UUID) async throws -> TodoItem? {
    try await translating { try await store.read { tx in try tx.get(TodoItem.self, id) } }
  }

  /// The items of a list, as one commit left them.
  public func items(_ filter: ItemFilter) throws -> [TodoItem] {
    try translating { try store.fetch(Self.query(filter)) }
  }

  /// The items of a list, without blocking.
  public func items(_ filter: ItemFilter) async throws -> [TodoItem] {
    try await translating { try await store.fetch(Self.query(filter)) }
  }

  /// A list as it is now, and again after each commit that changed it.
  public func observe(_ filter: ItemFilter) -> Observable<[TodoItem]> {
    feed.lists { [store] in try translating { try store.fetch(Self.query(filter)) } }
  }

  /// The list in the repository's order; equal dates are told apart by the key.
  private static func query(_ filter: ItemFilter) -> Query<TodoItem> {
    switch filter {
    case .all: TodoItem.all.order(by: \.isDone, \.createdAt)
    case .undone: TodoItem.where { !$0.isDone }.order(by: \.createdAt)
    case .done: TodoItem.where { $0.isDone }.order(by: \.createdAt)
    }
  }

  /// Commits a change, then tells the observers.
  func commit<Result: Sendable>(_ change: @escaping Change<Result>) throws -> Result {
    let result = try translating { try store.write(change) }
    feed.publish()
    return result
  }

  /// Commits a change without blocking, then tells the observers.
  func commit<Result: Sendable>(_ change: @escaping Change<Result>) async throws -> Result {
    let result = try await translating { try await store.write(change) }
    feed.publish()
    return result
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
