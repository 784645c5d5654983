import Croft
import Foundation
import Testing

@Model private struct Dated {
  @PrimaryKey var id: UUID
  var day: Date
}

/// The explanation of a query without a store, by the declared indexes alone.
@Suite struct QueryExplainTests {
  @Test func aQueryExplainsItselfByTheDeclaredIndexes() {
    let found = Song.where { $0.plays == 7 && $0.title == "x" }.explain()
    #expect(found.model == "Song")
    #expect(found.access == .indexEquality)
    #expect(found.indexes == ["plays"])
    #expect(found.bounds == ["plays == 7"])
    #expect(found.residual == "title == \"x\"")
    #expect(found.order == .served)
  }

  @Test func nothingIsKnownOfTheRowsWithoutAStore() {
    for query in [Song.all, Song.where { $0.plays == 7 }, Song.where { $0.id == 7 }] {
      #expect(query.explain().estimatedRows == nil)
      #expect(!query.explain().isCounted)
      #expect(!query.explain().description.contains("rows:"))
    }
  }

  /// A date was the number of its seconds since 2001.
  @Test func datesAndIdentifiersAreWrittenAsPeopleReadThem() {
    let id = UUID()
    let day = Date(timeIntervalSince1970: 1_680_000_000)
    let query = Dated.where { $0.id == id && $0.day >= day && $0.day < day + 0.25 }
    let text = query.explain().description
    #expect(text.contains("id == \(id.uuidString)"))
    #expect(text.contains("day >= 2023-03-28T10:40:00Z"))
    #expect(text.contains("day < 2023-03-28T10:40:00.250Z"))
    for seconds in [1e300, -1e12, Double.nan] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(
        "\(Dated.where { $0.day < date }.explain())".contains("day < \(seconds) s since 2001"))
    }
  }

  @Test func everyWayToTheRowsCanBeExplained() {
    #expect(Song.all.explain().access == .scan)
    #expect(Song.where { $0.title == "x" }.explain().access == .scan)
    #expect(Song.where { $0.id == 7 }.explain().access == .primaryKeys)
    #expect(Song.where { $0.id > 7 }.explain().access == .primaryKeyRange)
    #expect(Song.where { $0.plays.in(3...4) }.explain().access == .indexRange)
    #expect(Song.where { $0.plays == 1 || $0.id == 1 }.explain().access == .union)
    #expect(Song.where { $0.id.in([] as [Int]) }.explain().access == .nothing)
    let top = Song.all.order(by: \.plays.descending).limit(5).explain()
    #expect(top.access == .indexOrder)
    #expect(top.order == .served)
    #expect(Song.all.order(by: \.title).explain().order == .sorted)
  }

  @Test func aUniqueIndexIsPreferred() {
    let query = Account.where { $0.team == "red" && $0.email == "a@b" }
    #expect(query.explain().indexes == ["email"])
  }

  @Test func aLargeStoreOfEvenValuesChoosesTheSame() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<3_000).map { Song(id: $0, title: "\($0)", plays: $0 % 500) })
      }
      for query in [
        Song.all, Song.where { $0.plays == 7 && $0.title == "x" }, Song.where { $0.id == 7 },
        Song.where { $0.plays == 7 || $0.plays == 8 },
        Song.all.order(by: \.plays.descending).limit(5), Song.all.order(by: \.title),
      ] {
        let (own, found) = (query.explain(), try store.explain(query))
        #expect(own.access == found.access)
        #expect(own.indexes == found.indexes)
        #expect(own.order == found.order)
        #expect(own.residual == found.residual)
      }
    }
  }
}
