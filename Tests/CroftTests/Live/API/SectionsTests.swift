import Foundation
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
    try expectSections("sections", \.genre) { $0.sections(by: \.genre, isDescending: true) }
  }

  /// Only a fetch could divide a result by an expression.
  @Test func sectionsOfAnExpressionComeAndGo() throws {
    try expectSections("sections of a remainder", { $0.plays % 3 }) {
      $0.sections(by: { $0.plays % 3 })
    }
    // Of some objects the value is nil.
    try expectSections("sections of a quotient", { $0.plays == 0 ? nil : 6 / $0.plays }) {
      $0.sections(by: { 6 / $0.plays }, isDescending: true)
    }
    try expectSections("sections of a text", { $0.title.lowercased() }) {
      $0.sections(by: { $0.title.lowercased() }, isDescending: true)
    }
    try expectSections("sections of an optional", { $0.note ?? $0.title }) {
      $0.sections(by: { $0.note ?? $0.title })
    }
    try expectSections("sections of a product", { $0.plays * 2 }) {
      $0.sections(by: { $0.plays * 2 })
    }
    try expectSections("sections of a fraction", { ($0.rating ?? 0) * 2 }) {
      $0.sections(by: { ($0.rating ?? 0) * 2 })
    }
    try expectSections("sections of a column", \.genre) { $0.sections(by: { $0.genre }) }
  }

  @Test func sectionsOfAMonthAreObservedAndFetched() throws {
    try withStore(of: Concert.self) { store in
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let utc = calendar
      let days: [Double] = [0, 86_400, 31 * 86_400, 40 * 86_400, 366 * 86_400]
      try store.write { tx in
        for (id, day) in days.enumerated() {
          try tx.insert(Concert(id: id, at: Date(timeIntervalSinceReferenceDate: day)))
        }
      }
      let byMonth = Concert.all.limit(4).sections(by: { $0.at.start(of: .month, in: utc) })
      let seen = Mutex<[[Int]]>([])
      let token = store.observe(byMonth) { change in
        seen.withLock { $0 = change.after.map { $0.objects.map(\.id) } }
      }
      store.live.drain()
      #expect(seen.withLock { $0 } == [[0, 1], [2, 3]])
      try store.write { _ = try $0.update(Concert.self, 0) { $0.at += 40 * 86_400 } }
      store.live.drain()
      #expect(seen.withLock { $0 } == [[1], [0, 2, 3]])
      #expect(try store.fetch(byMonth).map { $0.objects.map(\.id) } == [[1], [0, 2, 3]])
      token.cancel()
    }
  }

  @Model struct Concert: Hashable {
    @PrimaryKey var id: Int
    var at: Date
  }

  /// Observes sections while objects change at random, beside a fetch of them and a grouping in memory.
  private func expectSections<Key: OrderedStorable, Twin: Hashable>(
    _ name: String, _ twin: (Song) -> Twin,
    _ sections: (Query<Song>) -> SectionedQuery<Song, Key>
  ) throws {
    var random = SeededGenerator.forTest(name)
    // Of an expression the key is optional, though all objects have one.
    func comparable(_ key: Key) -> Twin? { key as? Twin }
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
                plays: random.below(6) - 1, genre: random.pick(Genre.allCases),
                note: random.pick([nil, nil, "a", "n"]), rating: random.pick([nil, 1, 2.5])))
          }
        }
        guard random.oneIn(2) || step % 50 == 49 else { continue }
        store.live.drain()
        let found = try store.fetch(request)
        let note = "\(name), seed \(random.seed)"
        #expect(screen.all == found.map(\.objects), "\(note)")
        let groups = Dictionary(
          grouping: try store.fetch(Song.where { $0.plays > -1 }.order(by: \.title)), by: twin)
        #expect(keys.withLock { $0.map(comparable) } == found.map { comparable($0.key) }, "\(note)")
        #expect(Set(found.map { comparable($0.key) }) == Set(groups.keys.map { $0 }), "\(note)")
        #expect(found.count == groups.count, "\(note)")
        for section in found {
          let group = try #require(comparable(section.key).flatMap { groups[$0] }, "\(note)")
          #expect(section.objects == group, "\(note)")
        }
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
