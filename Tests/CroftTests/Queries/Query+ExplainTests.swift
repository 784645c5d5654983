import Croft
import Foundation
import Testing

@Model private struct Dated {
  @PrimaryKey var id: UUID
  var day: Date
}

/// The explanation of a query by a store.
@Suite(.keepsFailedStores) struct QueryExplainTests {
  private func withSongs(_ body: (Store) throws -> Void) throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<3_000).map { Song(id: $0, title: "\($0)", plays: $0 % 500) })
      }
      try body(store)
    }
  }

  @Test func aQueryIsExplainedByItsIndex() throws {
    try withSongs { store in
      let found = try store.explain(Song.where { $0.plays == 7 && $0.title == "x" })
      #expect(found.model == "Song")
      #expect(found.access == .indexEquality)
      #expect(found.indexes == ["plays"])
      #expect(found.bounds == ["plays == 7"])
      #expect(found.residual == "title == \"x\"")
      #expect(found.order == .served)
      #expect(found.estimatedRows == 6 && found.isCounted)
    }
  }

  /// The explanations of a query and of its first page were equal.
  @Test func anExplanationHasTheLimit() throws {
    try withSongs { store in
      let query = Song.where { $0.plays == 7 }
      let all = try store.explain(query)
      #expect(all.limit == nil && all.offset == 0)
      #expect(!all.description.contains("limit"))
      let page = try store.explain(query.limit(2, offset: 3))
      #expect(page.limit == 2 && page.offset == 3)
      #expect(page.description.hasSuffix("\n  limit: 2, offset 3"))
      #expect(try "\(store.explain(query.limit(2)))".hasSuffix("\n  limit: 2"))
    }
  }

  /// A date was the number of its seconds since 2001.
  @Test func datesAndIdentifiersAreWrittenAsPeopleReadThem() throws {
    try withStore(of: Dated.self) { store in
      let id = UUID()
      let day = Date(timeIntervalSince1970: 1_680_000_000)
      let query = Dated.where { $0.id == id && $0.day >= day && $0.day < day + 0.25 }
      let text = try store.explain(query).description
      #expect(text.contains("id == \(id.uuidString)"))
      #expect(text.contains("day >= 2023-03-28T10:40:00Z"))
      #expect(text.contains("day < 2023-03-28T10:40:00.250Z"))
      for seconds in [1e300, -1e12, Double.nan] {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(
          try "\(store.explain(Dated.where { $0.day < date }))"
            .contains("day < \(seconds) s since 2001"))
      }
    }
  }

  @Test func everyWayToTheRowsCanBeExplained() throws {
    try withSongs { store in
      let ways: [(Query<Song>, QueryExplanation.Access)] = [
        (Song.all, .scan), (Song.where { $0.title == "x" }, .scan),
        (Song.where { $0.id == 7 }, .primaryKeys), (Song.where { $0.id > 2_900 }, .primaryKeyRange),
        (Song.where { $0.plays.in(3...4) }, .indexRange),
        (Song.where { $0.plays == 1 || $0.id == 1 }, .union),
        (Song.where { $0.id.in([] as [Int]) }, .nothing),
      ]
      for (query, access) in ways { #expect(try store.explain(query).access == access) }
      let top = try store.explain(Song.all.order(by: \.plays.descending).limit(5))
      #expect(top.access == .indexOrder)
      #expect(top.order == .served)
      #expect(try store.explain(Song.all.order(by: \.title)).order == .sorted)
    }
  }

  @Test func aUniqueIndexIsPreferred() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<1_000).map { Account(id: $0, email: "\($0)@b", team: "red", number: $0) }
        )
      }
      let query = Account.where { $0.team == "red" && $0.email == "7@b" }
      #expect(try store.explain(query).indexes == ["email"])
    }
  }
}
