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
          try tx.sum(of: { $0.plays * 2 }, query), try tx.average(of: { $0.plays * 2 }, query),
          try tx.min(of: { $0.plays * 2 }, query), try tx.max(of: { $0.plays * 2 }, query)
        )
      }
      let songs = try await store.fetch(query).filter { $0.plays > 3 }
      #expect(total == songs.reduce(0) { $0 + $1.plays * 2 } && total > 0)
      #expect(least == songs.map { $0.plays * 2 }.min() && most == songs.map { $0.plays * 2 }.max())
      #expect(try await store.sum(of: { $0.plays * 2 }, query) == total)
      #expect(try await store.average(of: { $0.plays * 2 }, query) == average)
      #expect(try await store.min(of: { $0.plays * 2 }, query) == least)
      #expect(try await store.max(of: { $0.plays * 2 }, query) == most)
      try inOneThread(store, query, total: total, average: average, least: least, most: most)
    }
  }

  private func inOneThread(
    _ store: Store, _ query: Query<Song>, total: Int, average: Double?, least: Int?, most: Int?
  ) throws {
    #expect(try store.sum(of: { $0.plays * 2 }, query) == total)
    #expect(try store.average(of: { $0.plays * 2 }, query) == average)
    #expect(try store.min(of: { $0.plays * 2 }, query) == least)
    #expect(try store.max(of: { $0.plays * 2 }, query) == most)
    let snapshot = try store.snapshot()
    #expect(try snapshot.sum(of: { $0.plays * 2 }, query) == total)
  }

  @Test func groupsAndSectionsComeOffTheCallersThread() async throws {
    try await withTemporaryStore(of: [Song.self]) { temporary in
      let store = try temporary.open()
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      let expected = try await store.read { tx in
        (
          try tx.group(Song.all, by: \.genre, .count, .sum(of: \.plays)).map { "\($0)" },
          try tx.group(Song.all, by: { $0.plays % 3 }, .count).map { "\($0)" },
          try tx.sections(Song.all, by: { $0.plays % 3 }).map { "\($0.key ?? -1) \($0.objects)" }
        )
      }
      #expect(
        try await store.group(Song.all, by: \.genre, .count, .sum(of: \.plays)).map { "\($0)" }
          == expected.0)
      #expect(
        try await store.group(Song.all, by: { $0.plays % 3 }, .count).map { "\($0)" } == expected.1)
      #expect(
        try await store.sections(Song.all, by: { $0.plays % 3 })
          .map { "\($0.key ?? -1) \($0.objects)" } == expected.2)
      #expect(expected.1.count == 3)
    }
  }
}
