import Testing

@testable import Croft

/// What a transaction gives of expressions, the store gives without one, and off the caller's thread.
@Suite(.keepsFailedStores) struct StoreAggregateTests {
  @Test func theStoreGivesWhatATransactionGives() async throws {
    try await withTemporaryStore(of: [Song.self]) { temporary in
      let store = try temporary.open()
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      let query = Song.where { $0.plays > 3 }
      let (total, average, least, most) = try await store.read { tx in
        (
          try tx.fetch(query.sum { $0.plays * 2 }), try tx.fetch(query.average { $0.plays * 2 }),
          try tx.fetch(query.min { $0.plays * 2 }), try tx.fetch(query.max { $0.plays * 2 })
        )
      }
      let songs = try await store.fetch(query).filter { $0.plays > 3 }
      #expect(total == songs.reduce(0) { $0 + $1.plays * 2 } && total > 0)
      #expect(least == songs.map { $0.plays * 2 }.min() && most == songs.map { $0.plays * 2 }.max())
      #expect(try await store.fetch(query.sum { $0.plays * 2 }) == total)
      #expect(try await store.fetch(query.average { $0.plays * 2 }) == average)
      #expect(try await store.fetch(query.min { $0.plays * 2 }) == least)
      #expect(try await store.fetch(query.max { $0.plays * 2 }) == most)
      try inOneThread(store, query, total: total, average: average, least: least, most: most)
    }
  }

  private func inOneThread(
    _ store: Store, _ query: Query<Song>, total: Int, average: Double?, least: Int?, most: Int?
  ) throws {
    #expect(try store.fetch(query.sum { $0.plays * 2 }) == total)
    #expect(try store.fetch(query.average { $0.plays * 2 }) == average)
    #expect(try store.fetch(query.min { $0.plays * 2 }) == least)
    #expect(try store.fetch(query.max { $0.plays * 2 }) == most)
    let snapshot = try store.snapshot()
    #expect(try snapshot.fetch(query.sum { $0.plays * 2 }) == total)
  }

  @Test func groupsAndSectionsComeOffTheCallersThread() async throws {
    try await withTemporaryStore(of: [Song.self]) { temporary in
      let store = try temporary.open()
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      let expected = try await store.read { tx in
        (
          try tx.fetch(Song.all.grouped(by: \.genre, .count, .sum(\.plays))).map { "\($0)" },
          try tx.fetch(Song.all.grouped(by: { $0.plays % 3 }, .count)).map { "\($0)" },
          try tx.sections(Song.all, by: { $0.plays % 3 }).map { "\($0.key ?? -1) \($0.objects)" }
        )
      }
      #expect(
        try await store.fetch(Song.all.grouped(by: \.genre, .count, .sum(\.plays))).map { "\($0)" }
          == expected.0)
      #expect(
        try await store.fetch(Song.all.grouped(by: { $0.plays % 3 }, .count)).map { "\($0)" }
          == expected.1)
      #expect(
        try await store.sections(Song.all, by: { $0.plays % 3 })
          .map { "\($0.key ?? -1) \($0.objects)" } == expected.2)
      #expect(expected.1.count == 3)
    }
  }
}
