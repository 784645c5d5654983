import Croft
import Foundation
import Testing

/// Aggregates, groups and sections of a query, and rows read a property at a time.
@Suite(.keepsFailedStores) struct QueryResultTests {
  private func withSongs(_ body: (Store) throws -> Void) throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      try body(store)
    }
  }

  @Test func sumsAndAveragesPassOverNil() throws {
    try withSongs { store throws in
      let songs = try store.fetch(Song.all)
      let ratings = songs.compactMap(\.rating)
      #expect(try store.fetch(Song.all.sum(\Song.plays)) == 90)
      #expect(try store.fetch(Song.all.sum(\Song.rating)) == ratings.reduce(0, +))
      #expect(try store.fetch(Song.all.average(\Song.plays)) == 4.5)
      #expect(
        try store.fetch(Song.all.average(\Song.rating)) == ratings.reduce(0, +)
          / Double(ratings.count))
      #expect(try store.fetch(Song.where { $0.id < 0 }.sum(\Song.plays)) == 0)
      #expect(try store.fetch(Song.where { $0.id < 0 }.average(\Song.plays)) == nil)
      #expect(try store.fetch(Song.all.limit(3, offset: 1).sum(\Song.plays)) == 6)
    }
  }

  /// "requires that 'Int' conform to 'Equatable'" was the compiler's answer: one aggregate was a tuple.
  @Test func theValuesOfOneAggregateAreOfItsType() throws {
    try withSongs { store throws in
      let token = store.observe(
        ReadRequest { tx in
          try tx.fetch(Song.all.grouped(by: { $0.genre }, .sum(\.plays))).map(\.values)
        }
      ) { _ in }
      token.cancel()
      let counts = try store.read { tx in
        try tx.fetch(Song.all.grouped(by: \.genre, .count)).map { $0.values }
      }
      #expect(counts == [7, 7, 6])
      #expect(
        try store.fetch(Song.all.grouped(by: { $0.genre }, .count)).map(\.key) == Genre.allCases)
      #expect(try store.fetch(Song.all.grouped(by: \.genre, .count)).map(\.values) == counts)
    }
  }

  @Test func aSumThatDoesNotFitIsAnErrorThatNamesTheProperty() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "", plays: .max))
        try tx.insert(Song(id: 2, title: "", plays: 1))
      }
      #expect(throws: StoreError.overflow(model: "Song", field: "plays")) {
        try store.fetch(Song.all.sum(\Song.plays))
      }
      // Only the final sum must fit, not the sums on the way.
      try store.write { try $0.insert(Song(id: 3, title: "", plays: -5)) }
      #expect(try store.fetch(Song.all.sum(\Song.plays)) == .max - 4)
    }
  }

  @Test func theSmallestAndTheGreatestPassOverNilAndNaN() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        let ratings: [Double?] = [nil, .nan, 2, -Double.infinity, 7, nil]
        for (id, rating) in ratings.enumerated() {
          try tx.insert(Song(id: id, title: "\(id)", plays: 10 - id, rating: rating))
        }
      }
      #expect(try store.fetch(Song.all.max(\Song.rating)) == 7)
      #expect(try store.fetch(Song.all.min(\Song.rating)) == -Double.infinity)
      #expect(try store.fetch(Song.all.max(\Song.plays)) == 10)
      #expect(try store.fetch(Song.all.min(\Song.plays)) == 5)
      #expect(try store.fetch(Song.where { $0.id < 2 }.max(\Song.rating)) == nil)
      #expect(try store.fetch(Song.all.order(by: \.id).limit(2, offset: 3).max(\Song.plays)) == 7)
      #expect(try store.fetch(Song.all.min(\Song.title)) == "0")
    }
  }

  @Test func groupsCountAndAddUp() throws {
    try withSongs { store throws in
      let groups = try store.fetch(
        Song.all.grouped(by: \.genre, .count, .sum(\.plays), .max(\.rating)))
      let songs = try store.fetch(Song.all)
      #expect(groups.map(\.key) == [.none, .rock, .jazz])
      for group in groups {
        let members = songs.filter { $0.genre == group.key }
        #expect(group.values.0 == members.count)
        #expect(group.values.1 == members.reduce(0) { $0 + $1.plays })
        #expect(group.values.2 == members.compactMap(\.rating).max())
      }
      let counts = try store.fetch(Song.where { $0.id < 6 }.grouped(by: \.note, .count))
      #expect(counts.map(\.key) == [nil, "note 1", "note 2", "note 3", "note 5"])
      #expect(counts.map(\.values) == [2, 1, 1, 1, 1])
    }
  }

  @Test func sectionsHoldTheObjectsInTheQuerysOrder() throws {
    try withSongs { store throws in
      let sections = try store.fetch(Song.all.order(by: \.id.descending).sections(by: \.genre))
      let songs = try store.fetch(Song.all.order(by: \.id.descending))
      #expect(sections.map(\.key) == [.none, .rock, .jazz])
      for section in sections {
        #expect(section.objects == songs.filter { $0.genre == section.key })
      }
      let down = try store.fetch(Song.all.limit(8).sections(by: \.genre, isDescending: true))
      #expect(down.map(\.key) == [.jazz, .rock])
      #expect(down.map(\.objects.count) == [6, 2])
    }
  }

  @Test func distinctKeepsTheFirstInOrderBeforeTheLimit() throws {
    try withSongs { store throws in
      let query = Song.all.order(by: \.id.descending).distinct(by: \.plays)
      #expect(try store.fetch(query).map(\.id) == Array((10..<20).reversed()))
      #expect(try store.fetch(query.limit(2, offset: 3)).map(\.id) == [16, 15])
      #expect(try store.count(query) == 10)
      #expect(try store.count(query.limit(4, offset: 8)) == 2)
      let two = Song.all.distinct(by: \.genre, \.rating)
      let songs = try store.fetch(Song.all)
      #expect(
        try store.count(two) == Set(songs.map { [$0.genre.stored, $0.rating.stored] }).count)
    }
  }

  @Test func rowsAreReadAPropertyAtATime() throws {
    try withSongs { store throws in
      var read: [String] = []
      try store.forEachRow(Song.where { $0.plays > 7 }.order(by: \.id.descending)) { row in
        let (id, note) = (try row[\.id], try row[\.note])
        read.append("\(id) \(try row[\.title]) \(note ?? "-") \(try row[\.genre])")
      }
      let songs = try store.fetch(Song.where { $0.plays > 7 }.order(by: \.id.descending))
      #expect(read == songs.map { "\($0.id) \($0.title) \($0.note ?? "-") \($0.genre)" })
      try withStore(of: Album.self) { store in
        try store.write { try $0.insert(Album(name: "e\u{301}", year: nil)) }
        try store.forEachRow(Album.all) { row in
          let (name, year) = (try row[\.name], try row[\.year])
          #expect(Array(name.utf8) == Array("e\u{301}".utf8))
          #expect(year == nil)
        }
      }
    }
  }

  @Test func anExplanationTellsTheIndexTheTestAndTheOrder() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<2_000)) }
      let first = Song.where { $0.id < 3 && $0.title != "x" }
      let found = try store.explain(first)
      #expect(found.access == .primaryKeyRange)
      #expect(found.order == .primaryKey)
      // An entry of an index ends in the primary key, whose range narrows that of the index.
      let fewer = try store.explain(first.where { $0.plays == 3 && $0.genre == .jazz })
      #expect(fewer.access == .indexRange)
      #expect(fewer.order == .served)
      #expect(try store.explain(Song.where { $0.id.in([1, 5]) }).access == .primaryKeys)
      let all = try store.explain(Song.where { $0.title == "x" })
      #expect(all.access == .scan)
      #expect(all.residual == "title == \"x\"")
      #expect(
        all.description
          == "Song by all rows\n  rows: 2000\n  test: title == \"x\"\n  order: by primary key")
      let top = try store.explain(Song.all.order(by: \.plays.descending).limit(5))
      #expect(top.access == .indexOrder)
      #expect(top.indexes == ["plays"])
      #expect(top.order == .served)
      let none = try store.explain(Song.where { $0.id.in([] as [Int]) })
      #expect(none.access == .nothing)
      let rare = try store.explain(Song.where { $0.plays == 77 })
      #expect(rare.access == .indexEquality)
      #expect(rare.bounds == ["plays == 77"])
      #expect(rare.estimatedRows == 0)
      let sorted = try store.explain(Song.all.order(by: \.title))
      #expect(sorted.order == .sorted)
    }
  }

  @Test func explainingIsOneOfTheThingsAWriteTransactionDoes() throws {
    try withSongs { store throws in
      try store.write { tx in
        try tx.insert(Song(id: 99, title: "New", plays: 77))
        #expect(try tx.fetch(Song.where { $0.plays == 77 }).map(\.id) == [99])
        #expect(try tx.explain(Song.where { $0.plays == 77 }).access == .indexEquality)
        #expect(try tx.fetch(Song.all.max(\Song.plays)) == 77)
        #expect(try tx.fetch(Song.where { $0.id == 99 }.sum(\Song.plays)) == 77)
      }
    }
  }

  @Test func theAsynchronousFormsGiveTheSame() async throws {
    try await withStore(of: Song.self) { store in
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      #expect(try await store.fetch(Song.all.sum(\Song.plays)) == 90)
      #expect(try await store.fetch(Song.all.max(\Song.plays)) == 9)
      #expect(try await store.fetch(Song.all.min(\Song.plays)) == 0)
      #expect(try await store.fetch(Song.all.average(\Song.plays)) == 4.5)
      #expect(try await store.fetch(Song.all.sections(by: \.genre)).count == 3)
      #expect(try await store.explain(Song.all).access == .scan)
    }
  }
}
