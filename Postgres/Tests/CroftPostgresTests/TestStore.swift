import Croft
import CroftPostgres
import CroftSync
import Foundation
import Testing

/// A store on disk in a folder of its own, which becomes a replica of a test's space.
final class TestStore: Sendable {
  let store: Store
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "croft-replica-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    store = try Store.open(
      at: folder.appending(path: "library.croft"), models: Library.models)
  }

  deinit {
    // A folder that stays is litter and no failure.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Begins to synchronize it.
  func join(
    _ server: any SyncTransport, _ space: UUID, pollInterval: Duration = .seconds(30),
    longestRetryDelay: Duration = .milliseconds(50)
  ) throws -> Sync {
    var options = Sync.Options()
    (options.pollInterval, options.longestRetryDelay) = (pollInterval, longestRetryDelay)
    return try Sync(
      store, with: server, space: space, models: Library.models, options: options)
  }

  var library: Library {
    get throws {
      try store.read { tx in
        Library(shelves: try tx.fetch(Shelf.all), books: try tx.fetch(Book.all))
      }
    }
  }

  func add(_ books: Book...) async throws {
    try await store.write { tx in for book in books { try tx.insert(book) } }
  }

  func add(_ shelves: Shelf...) async throws {
    try await store.write { tx in for shelf in shelves { try tx.insert(shelf) } }
  }

  /// Changes a book.
  func update(_ id: Int, _ change: @escaping @Sendable (inout Book) -> Void) async throws {
    try await store.write { tx in _ = try tx.update(Book.self, id, change) }
  }

  /// Waits, without a limit, until the store has what a closure asks for.
  func reaches(_ isDone: (Library) -> Bool) async throws {
    // Before it looks, so that no commit is missed.
    let commits = store.commits.makeAsyncIterator()
    while !isDone(try library) { _ = try #require(await commits.next()) }
  }
}

extension Sync {
  /// Waits for a status.
  func reaches(_ isWanted: (Status) -> Bool) async -> Bool {
    for await status in status where isWanted(status) { return true }
    return false
  }

  /// Sends and receives all, however often the server has to be tried.
  func patiently() async throws {
    while true {
      do {
        try await now()
        return
      } catch let error as SyncError {
        guard error.isRetryable else { throw error }
      }
    }
  }

  /// The events that there are.
  func events(_ count: Int) async -> [SyncEvent] {
    var found: [SyncEvent] = []
    for await event in events {
      found.append(event)
      if found.count == count { break }
    }
    return found
  }
}
