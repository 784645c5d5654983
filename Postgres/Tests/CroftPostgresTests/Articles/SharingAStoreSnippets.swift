import Croft
import CroftPostgres
import CroftSync
import Foundation
import Testing

/// The code of the article about sharing a store.
@Suite struct SharingAStoreSnippets {
  /// It is run up to the connection: its host is nobody's.
  @Test func aDatabaseIsPreparedAsTheArticleSays() async throws {
    @Sendable func readPassword() throws -> String { throw CancellationError() }
    func prepare() async throws -> UUID {
      let server = try PostgresServer("postgres://anna@db.example/app") { try readPassword() }
      try await Postgres.install(on: server)
      let space = try await Postgres.createOwnSpace(on: server)
      return space
    }
    await #expect(throws: CancellationError.self) { try await prepare() }
  }

  @Test func twoStoresAreTheSameAsTheArticleSays() async throws {
    let database = try await TestDatabase(installed: false)
    let server = try database.owner
    try await Postgres.install(on: server)
    let space = try await Postgres.createOwnSpace(on: server)
    #expect(try await Postgres.spaces(on: server) == [space])
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-share-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // A folder that stays is litter and no failure.
      try? FileManager.default.removeItem(at: folder)
    }
    var syncs: [Sync] = []
    for id in 1...3 {
      let file = folder.appending(path: "\(id)")
      let store = try Store.open(at: file, models: [Shelf.self, Book.self])
      let sync = try Sync(store, with: server, space: space, models: [Shelf.self, Book.self])
      try await sync.now()
      try await store.write { try $0.insert(Book(id: id, title: "\(id)")) }
      try await sync.now()
      #expect(try await store.count(Book.all) == id)
      syncs.append(sync)
    }
    for sync in syncs { await sync.stop() }
  }
}
