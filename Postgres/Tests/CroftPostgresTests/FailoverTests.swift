import Croft
import CroftSync
import Foundation
import Synchronization
import Testing

@testable import CroftPostgres

/// Servers that end at once, and what takes their place.
@Suite struct FailoverTests {
  private static let patience: Duration = .seconds(60)

  /// A primary with a database, and the copy of it that takes its place.
  private struct Pair {
    let database: TestDatabase
    let first: TestCluster
    let second: TestCluster

    /// Names both servers, in an order; the first that takes writes is used.
    func server(
      _ clusters: [TestCluster]? = nil, deadline: Duration = .seconds(20)
    ) throws -> PostgresServer {
      let clusters = clusters ?? [first, second]
      let (hosts, ports) = (clusters.map(\.folder.path), clusters.map { "\($0.port)" })
      return try PostgresServer(
        "postgres:///\(database.name)?host=\(hosts.joined(separator: ","))"
          + "&port=\(ports.joined(separator: ","))&user=\(database.role("writer"))",
        deadline: deadline)
    }

    /// How many objects a server has that are not deleted, without the descriptions of models.
    func count(on cluster: TestCluster) async throws -> Int64 {
      let connection = try await cluster.control(database.name)
      let rows = try await connection.run(
        PostgresStatement("SELECT count(*) FROM croft.objects WHERE NOT deleted AND model > 0"),
        within: FailoverTests.patience)
      await connection.close()
      return try rows.int8(rows.only(), 0)
    }
  }

  private func pair(isSynchronous: Bool) async throws -> Pair {
    let first = try TestCluster()
    let database = try await TestDatabase(on: first)
    let second = try TestCluster(copyOf: first, isStandby: true)
    let control = try await first.control()
    if isSynchronous {
      // After the copy was made, so that it does not wait for a standby of its own.
      try await control.run(
        script: "ALTER SYSTEM SET synchronous_standby_names = '*'", within: Self.patience)
      try await control.run(script: "SELECT pg_reload_conf()", within: Self.patience)
    }
    try await wait(
      for: 1,
      "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = "
        + (isSynchronous ? "'sync'" : "'async'"), on: control)
    await control.close()
    return Pair(database: database, first: first, second: second)
  }

  private func promote(_ cluster: TestCluster) async throws {
    let control = try await cluster.control()
    let rows = try await control.run(
      PostgresStatement("SELECT pg_promote(true, 60)"), within: Self.patience)
    #expect(try rows.bool(rows.only(), 0))
    await control.close()
  }

  /// The books that were acknowledged, of all stores.
  private final class Acknowledged: Sendable {
    private let ids = Mutex<Set<Int>>([])
    var all: Set<Int> { ids.withLock { $0 } }
    func add(_ id: Int) { ids.withLock { _ = $0.insert(id) } }
  }

  /// Adds a book after the other, until as many were acknowledged as are asked for.
  private func load(
    _ store: TestStore, _ sync: Sync, _ ids: Range<Int>, _ acknowledged: Acknowledged
  ) async throws {
    for id in ids {
      try await store.add(Book(id: id, title: "\(id)"))
      try await sync.patiently()
      acknowledged.add(id)
    }
  }

  /// With a synchronous standby nothing is lost that was acknowledged, and the replicas continue by themselves.
  @Test func aSynchronousStandbyLosesNothing() async throws {
    let pair = try await pair(isSynchronous: true)
    let (stores, acknowledged) = (try (0..<4).map { _ in try TestStore() }, Acknowledged())
    let syncs = try stores.map { try $0.join(pair.server(), pair.database.space) }
    try await withThrowingTaskGroup { group in
      for (place, store) in stores.enumerated() {
        let start = place * 1_000
        group.addTask {
          try await load(store, syncs[place], start..<start + 40, acknowledged)
        }
      }
      group.addTask {
        // In the midst of it.
        while acknowledged.all.count < 40 { await Task.yield() }
        try pair.first.kill()
        let known = acknowledged.all
        try await promote(pair.second)
        #expect(try await pair.count(on: pair.second) >= known.count)
      }
      try await group.waitForAll()
    }
    #expect(acknowledged.all.count == 160)
    for sync in syncs { try await sync.patiently() }
    #expect(try await pair.count(on: pair.second) == 160)
    for store in stores { #expect(try store.library == stores[0].library) }

    // The old primary comes back, and is listed first: what it is sent waits for a standby, and counts as not known.
    try pair.first.start()
    for sync in syncs { await sync.stop() }
    let stale = try stores[0].join(
      pair.server(deadline: .milliseconds(500)), pair.database.space)
    try await stores[0].add(Book(id: 9_000, title: "late"))
    await #expect(throws: SyncError.self) { try await stale.now() }
    #expect(try stores[0].library.books.count == 161)
    // Its operator ends it.
    try pair.first.kill()
    try await stale.patiently()
    await stale.stop()
    let other = try stores[1].join(pair.server(), pair.database.space)
    try await other.patiently()
    #expect(try stores[1].library == stores[0].library)
    #expect(try stores[1].library.books.count == 161)
    await other.stop()
  }

  /// An asynchronous standby lacks the last pushes; replicas that know them give them back.
  @Test func whatAnAsynchronousStandbyLostIsGivenBack() async throws {
    let pair = try await pair(isSynchronous: false)
    let (a, b) = (try TestStore(), try TestStore())
    let first = try a.join(pair.server(), pair.database.space)
    let second = try b.join(pair.server(), pair.database.space)
    let acknowledged = Acknowledged()
    try await load(a, first, 0..<10, acknowledged)
    while try await pair.count(on: pair.second) < 10 { await Task.yield() }
    // The standby does not receive from now on.
    let control = try await pair.second.control()
    try await control.run(
      script: "ALTER SYSTEM SET primary_conninfo = ''", within: Self.patience)
    try await control.run(script: "SELECT pg_reload_conf()", within: Self.patience)
    try await wait(for: 0, "SELECT count(*) FROM pg_stat_wal_receiver", on: control)
    await control.close()
    try await load(a, first, 10..<30, acknowledged)
    try await load(b, second, 30..<35, acknowledged)
    try await a.store.write { _ = try $0.delete(Book.self, 0) }
    try await first.patiently()
    try pair.first.kill()
    try await promote(pair.second)
    #expect(try await pair.count(on: pair.second) == 10)

    for _ in 0..<2 {
      try await first.patiently()
      try await second.patiently()
    }
    #expect(try a.library == b.library)
    #expect(try Set(a.library.books.map(\.id)) == acknowledged.all.subtracting([0]))
    #expect(try await pair.count(on: pair.second) == 34)
    #expect(await first.events(1).map(\.kind) == [.gaveBack])
    await first.stop()
    await second.stop()
  }

  /// A backup takes the place of the server, which had more.
  @Test func aRestoredBackupGetsBackWhatItLacks() async throws {
    let first = try TestCluster()
    let database = try await TestDatabase(on: first)
    let (a, b) = (try TestStore(), try TestStore())
    try await a.add(Shelf(id: 1, name: "home"))
    let before = try a.join(try database.server(as: "writer"), database.space)
    try await before.now()
    let backup = try TestCluster(copyOf: first, isStandby: false)
    try await a.add(Book(id: 1, title: "one", shelf: Ref(1)))
    try await a.store.write { _ = try $0.update(Shelf.self, 1) { $0.name = "house" } }
    try await before.now()
    await before.stop()
    try first.kill()
    try backup.start()

    let pair = Pair(database: database, first: first, second: backup)
    // A new replica pushes before the other one comes, so that the versions count on.
    let second = try b.join(pair.server(), database.space)
    try await b.add(Book(id: 2, title: "two"))
    try await second.patiently()
    #expect(try b.library.shelves.map(\.name) == ["home"])
    let after = try a.join(pair.server(), database.space)
    try await after.patiently()
    try await second.patiently()
    #expect(try a.library == b.library)
    #expect(try a.library.shelves.map(\.name) == ["house"])
    #expect(try a.library.books.map(\.id) == [1, 2])
    await after.stop()
    await second.stop()
  }
}
