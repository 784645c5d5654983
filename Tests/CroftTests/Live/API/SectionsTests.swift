import Synchronization
import Testing
import TestSupport

@testable import Croft

/// Random commits in sections: each change, replayed on lists of lists, gives what a fetch gives.
@Suite(.keepsFailedStores) struct SectionsTests {
  /// A screen of sections, which changes by the delivered changes alone.
  private final class Screen<Key: OrderedStorable>: Sendable {
    private let sections = Mutex<[[Song]]>([])
    var all: [[Song]] { sections.withLock { $0 } }

    func take(_ change: SectionedChange<Song, Key>) {
      sections.withLock { sections in
        let after = change.after.map { Array($0.objects) }
        #expect(sections == change.before.map { Array($0.objects) })
        defer { sections = after }
        if change.isInitial { return }
        // Sections first, then the objects of each by themselves.
        var lists: [[Int]] = sections.map { $0.map(\.id) }
        for position in change.deletions + change.moves.map(\.from) {
          lists[position.section][position.index] = -1
        }
        lists = lists.map { $0.filter { $0 >= 0 } }
        for section in change.sectionDeletions.reversed() {
          #expect(lists.remove(at: section).isEmpty)
        }
        for section in change.sectionInsertions { lists.insert([], at: section) }
        for position in (change.insertions + change.moves.map(\.to)).sorted() {
          lists[position.section].insert(change.after[position].id, at: position.index)
        }
        #expect(lists == after.map { $0.map(\.id) })
      }
    }
  }

  @Test func sectionsComeAndGoWithTheirObjects() throws {
    try expectSections("sections") { $0.sections(by: \.genre, isDescending: true) }
  }

  /// An address book has a section for each first letter, a list of expenses one for each month.
  @Test func sectionsOfAnExpressionComeAndGo() throws {
    try expectSections("sections of a remainder") { $0.sections(by: { $0.plays % 3 }) }
    // Of some objects the value is nil.
    try expectSections("sections of a quotient") {
      $0.sections(by: { 6 / $0.plays }, isDescending: true)
    }
    try expectSections("sections of a text") { $0.sections(by: { $0.title.lowercased() }) }
    try expectSections("sections of a column") { $0.sections(by: { $0.genre }) }
  }

  /// Observes sections while objects change at random, beside a fetch of them and a grouping in memory.
  private func expectSections<Key: OrderedStorable & Hashable>(
    _ name: String, _ sections: (Query<Song>) -> SectionedQuery<Song, Key>
  ) throws {
    var random = SeededGenerator.forTest(name)
    try withStore(of: Song.self) { store in
      let request = sections(Song.where { $0.plays > -1 }.order(by: \.title))
      let screen = Screen<Key>()
      let keys = Mutex<[Key]>([])
      let token = store.observe(request) { change in
        screen.take(change)
        keys.withLock { $0 = change.after.map(\.key) }
      }
      for step in 0..<Torture.steps(short: 300, long: 30_000) {
        try store.write { tx in
          for _ in 0..<1 + random.below(4) {
            try tx.upsert(
              Song(
                id: random.below(12), title: random.pick(["a", "A", "b", "\(random.below(3))"]),
                plays: random.below(6) - 1, genre: random.pick(Genre.allCases)))
          }
        }
        guard random.oneIn(2) || step % 50 == 49 else { continue }
        store.live.drain()
        let found = try store.fetch(request)
        #expect(screen.all == found.map(\.objects), "seed \(random.seed)")
        #expect(keys.withLock { $0 } == found.map(\.key), "seed \(random.seed)")
        #expect(Set(found.map(\.key)).count == found.count)
      }
      token.cancel()
    }
  }

  @Test func sectionsAreASequenceAsWell() async throws {
    try await withStore(of: Song.self) { store in
      let changes = store.changes(of: Song.all.sections(by: \.genre)).makeAsyncIterator()
      #expect(await changes.next()?.isInitial == true)
      try await store.write { try $0.insert(Song(id: 1, title: "one", genre: .jazz)) }
      let change = try #require(await changes.next())
      #expect(change.sectionInsertions == [0] && change.after.map(\.key) == [.jazz])
      let token = store.observe(Song.all.observing(\.title).sections(by: \.genre)) { _ in }
      token.cancel()
    }
  }
}
