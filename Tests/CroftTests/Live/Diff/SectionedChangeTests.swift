import Testing
import TestSupport

@testable import Croft

/// Sections are inserted and deleted with their objects.
@Suite(.keepsFailedStores) struct SectionedChangeTests {
  private typealias Change = SectionedChange<Song, Genre>

  private let query = Song.all.order(by: \.plays).sections(by: \.genre)

  private func withSongs(
    _ songs: [Song], _ body: (Store, SectionWatch<Genre>) throws -> Void
  ) throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: songs) }
      try body(store, try SectionWatch(query, in: store))
    }
  }

  private let songs = [
    Song(id: 1, title: "a", plays: 5, genre: .rock),
    Song(id: 2, title: "b", plays: 3, genre: .rock),
    Song(id: 3, title: "c", plays: 9, genre: .jazz),
  ]

  @Test func theFirstChangeHasTheSections() throws {
    try withSongs(songs) { _, watch in
      #expect(watch.first.isInitial)
      #expect(watch.first.after.map(\.key) == [.rock, .jazz])
      #expect(watch.first.after.map { $0.objects.map(\.id) } == [[2, 1], [3]])
      #expect(watch.first.sectionInsertions == [] && watch.first.insertions == [])
      #expect(watch.first.after[SectionPosition(section: 1, index: 0)].id == 3)
      #expect(watch.first.before.isEmpty)
    }
  }

  @Test func aChangeIsPrintedAsItsPositions() throws {
    try withSongs(songs) { _, watch in
      #expect("\(watch.first)" == "commit \(watch.first.sequence): 2 sections of Song")
      let change = try watch.commit { tx in
        try tx.insert(Song(id: 4, title: "d", genre: .none))
        try tx.update(Song.self, 1) { $0.plays = 1 }
      }
      #expect(
        "\(change)" == "commit \(change.sequence): 2 -> 3 sections of Song; sectionInsertions 0; "
          + "insertions 0.0; moves 0.1->1.0*")
      #expect("\(change.after[2])" == "\(Genre.jazz): \([songs[2]])")
    }
  }

  @Test func anObjectOfANewSectionBringsIt() throws {
    try withSongs(songs) { _, watch in
      let change = try watch.commit { try $0.insert(Song(id: 4, title: "d", genre: .none)) }
      #expect(change.sectionInsertions == [0])
      #expect(change.insertions == [SectionPosition(section: 0, index: 0)])
      #expect(change.sectionDeletions == [])
    }
  }

  @Test func theLastObjectOfASectionTakesItAway() throws {
    try withSongs(songs) { _, watch in
      let change = try watch.commit { try $0.delete(Song.self, 3) }
      #expect(change.sectionDeletions == [1])
      #expect(change.deletions == [SectionPosition(section: 1, index: 0)])
    }
  }

  @Test func anObjectThatGoesIntoAnotherSectionMoves() throws {
    try withSongs(songs) { _, watch in
      let change = try watch.commit { try $0.update(Song.self, 1) { $0.genre = .jazz } }
      let (from, to) = (
        SectionPosition(section: 0, index: 1), SectionPosition(section: 1, index: 0)
      )
      #expect(change.moves == [ResultMove(from: from, to: to, isModified: true)])
      #expect(change.modifications == [])
    }
  }

  @Test func anOnlyObjectThatTakesItsSectionWithItMoves() throws {
    try withSongs([Song(id: 1, title: "a", genre: .rock)]) { _, watch in
      let change = try watch.commit { try $0.update(Song.self, 1) { $0.genre = .jazz } }
      let place = SectionPosition(section: 0, index: 0)
      #expect(change.sectionDeletions == [0])
      #expect(change.sectionInsertions == [0])
      #expect(change.moves == [ResultMove(from: place, to: place, isModified: true)])
    }
  }

  @Test func sectionsMayDescend() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: songs) }
      let watch = try SectionWatch(
        Song.all.order(by: \.plays).sections(by: \.note, isDescending: true), in: store)
      _ = try watch.commit { try $0.update(Song.self, 2) { $0.note = "x" } }
      _ = try watch.commit { try $0.update(Song.self, 3) { $0.note = "y" } }
      #expect(watch.results.map(\.key) == ["y", "x", nil])
    }
  }

  @Test func randomCommitsGiveTheSectionsThatAFetchGives() throws {
    var random = SeededGenerator.forTest("sections")
    try withStore(of: Song.self) { store in
      for _ in 0..<Torture.steps(short: 12, long: 4_000) {
        let limit = random.oneIn(2) ? 1_000 : random.below(20)
        let isDescending = random.oneIn(2)
        let query = Song.where { $0.plays > 2 }.order(by: \.rating.descending)
          .limit(limit, offset: random.below(3))
        let watch = try SectionWatch(
          query.sections(by: \.plays, isDescending: isDescending), in: store)
        for _ in 0..<20 {
          let before = watch.results
          let change = try watch.commitAnything(&random)
          let expected = try store.read {
            try $0.fetch(query.sections(by: \.plays, isDescending: isDescending))
          }
          #expect(watch.results.map(\.key) == expected.map(\.key), "seed \(random.seed)")
          #expect(
            watch.results.map { Array($0.objects) } == expected.map(\.objects),
            "seed \(random.seed)")
          if let change { check(change, before, random.seed) }
        }
      }
    }
  }

  /// Replays a change of sections and objects.
  private func check(
    _ change: SectionedChange<Song, Int>, _ before: SectionedResults<Song, Int>, _ seed: UInt64
  ) {
    let (deleted, inserted) = (change.sectionDeletions, change.sectionInsertions)
    var keys = before.map(\.key)
    for section in deleted.reversed() { keys.remove(at: section) }
    for section in inserted { keys.insert(change.after[section].key, at: section) }
    #expect(keys == change.after.map(\.key), "seed \(seed)")
    for (old, new) in zip(change.modifications, change.modificationsAfter) {
      #expect(before[old.section].key == change.after[new.section].key, "seed \(seed)")
    }
    let gone = Set(change.deletions + change.moves.map(\.from))
    var rest = before.indices.flatMap { section in
      before[section].objects.indices.map { SectionPosition(section: section, index: $0) }
    }.filter { !gone.contains($0) }.map { before[$0].id }[...]
    var placed: [SectionPosition: Int] = [:]
    for place in change.insertions { placed[place] = change.after[place].id }
    for move in change.moves { placed[move.to] = before[move.from].id }
    var ids: [Int] = []
    for (section, objects) in change.after.map(\.objects).enumerated() {
      for index in objects.indices {
        let place = SectionPosition(section: section, index: index)
        if let id = placed[place] ?? rest.popFirst() { ids.append(id) }
      }
    }
    #expect(ids == change.after.objects.map(\.id), "seed \(seed)")
    #expect(rest.isEmpty, "seed \(seed)")
  }
}

/// A sectioned query followed through a store's commits.
private final class SectionWatch<Key: OrderedStorable> {
  let first: SectionedChange<Song, Key>
  private let query: WatchedQuery<Song>
  private var sections: SectionedRows

  init(_ sectioned: SectionedQuery<Song, Key>, in store: Store) throws {
    query = try WatchedQuery(Query<Song>(sectioned.core), in: store)
    sections = SectionedRows(query.live.results, sectioned.code)
    first = SectionedChange(sequence: 1, before: nil, after: sections)
  }

  var results: SectionedResults<Song, Key> { SectionedResults(sections: sections) }

  func commit(
    _ body: (inout WriteTransaction) throws -> Void
  ) throws -> SectionedChange<Song, Key> {
    try query.commit(body)
    return try #require(tell())
  }

  /// Commits a few random changes; nil where the result did not change.
  func commitAnything(_ random: inout SeededGenerator) throws -> SectionedChange<Song, Key>? {
    try query.commit { tx in
      for _ in 0..<random.pick([1, 2, 9]) {
        let id = random.below(40)
        if random.oneIn(3) {
          try tx.delete(Song.self, id)
        } else {
          let song = Song(
            id: id, title: random.oneIn(2) ? "a" : "b", plays: random.below(9),
            rating: Double(random.below(4)))
          try tx.upsert(song)
        }
      }
    }
    return tell()
  }

  private func tell() -> SectionedChange<Song, Key>? {
    let diff = SectionedDiff(from: sections, to: query.live.results)
    let before = sections
    sections = diff.after
    if diff.isEmpty { return nil }
    return SectionedChange(sequence: 2, before: before, after: diff.after, diff: diff)
  }
}
