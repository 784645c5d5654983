import Foundation
import Testing

@testable import Croft

/// Conditions of thousands of terms, or nested deeply.
///
/// Joining terms by `||` once copied all of them each time, so that 20,000 took seconds, and deep
/// nesting overflowed the stack.
@Suite(.keepsFailedStores) struct QueryLongConditionTests {
  private func withSongs(_ body: (Store) throws -> Void) throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<300)) }
      try body(store)
    }
  }

  /// A condition made of one term for each number.
  private func condition(
    _ numbers: Range<Int>,
    _ join: (QueryCondition<Song>, QueryCondition<Song>) -> QueryCondition<Song>,
    _ term: (QueryColumn<Song, Song>, Int) -> QueryCondition<Song>
  ) -> Query<Song> {
    Song.where { song in
      numbers.dropFirst().reduce(term(song, numbers.lowerBound)) { join($0, term(song, $1)) }
    }
  }

  @Test(arguments: [1, 2, 3, 63, 64, 65, 255, 256, 257, 20_000])
  func aTermMoreCostsNoCopyOfAll(count: Int) throws {
    try withSongs { store throws in
      let ids = Set(0..<count).filter { $0 < 300 }.count
      let byKey = condition(0..<count, { $0 || $1 }, { $0.id == $1 })
      #expect(try store.count(byKey) == ids)
      let all = condition(0..<count, { $0 && $1 }, { $0.id != $1 + 7 })
      #expect(try store.fetch(all).count == (0..<300).filter { $0 < 7 || $0 >= count + 7 }.count)
      let narrowed = (0..<min(count, 5_000)).reduce(Song.all) { query, id in
        query.where { $0.id != id }
      }
      #expect(try store.count(narrowed) == max(0, 300 - min(count, 5_000)))
    }
  }

  /// Each of 40,000 texts was compared with each of 20,000, which took five seconds.
  @Test(arguments: [15, 16, 17, 40])
  func valuesOfOneColumnAreLookedUpTogether(count: Int) throws {
    try withSongs { store throws in
      try store.write { tx in
        try tx.upsert(Song(id: 300, title: "zero", rating: -0.0))
        try tx.upsert(Song(id: 301, title: "none", rating: .nan))
      }
      let songs = try store.fetch(Song.all)
      func expect(_ query: Query<Song>, _ isIncluded: (Song) -> Bool) throws {
        #expect(try store.fetch(query).map(\.id) == songs.filter(isIncluded).map(\.id))
      }
      let notes = (0..<count).map { "note \($0 * 2)" }
      try expect(condition(0..<count, { $0 || $1 }, { $0.note == notes[$1] })) {
        $0.note.map(notes.contains) ?? false
      }
      try expect(condition(0..<count, { $0 && $1 }, { $0.note != notes[$1] })) {
        $0.note.map { !notes.contains($0) } ?? true
      }
      let ratings = (0..<count).map { $0 == 3 ? Double.nan : Double($0) / 2 }
      try expect(condition(0..<count, { $0 || $1 }, { $0.rating == ratings[$1] })) {
        $0.rating.map(ratings.contains) ?? false
      }
      // Terms of two columns, beside others.
      let mixed = condition(0..<count, { $0 || $1 }) { song, number in
        song.note == notes[number] || song.title == "Song \(number * 3)"
      }
      let titles = Set((0..<count).map { "Song \($0 * 3)" })
      try expect(mixed.where { $0.plays < 5 }) { song in
        song.plays < 5 && (titles.contains(song.title) || song.note.map(notes.contains) ?? false)
      }
      try expect(
        Song.where { song in
          (0..<count).reduce(song.rating.isNil || song.plays > 8) { $0 || song.note == notes[$1] }
        }
      ) { $0.rating == nil || $0.plays > 8 || $0.note.map(notes.contains) ?? false }
    }
  }

  @Test func howTermsCameTogetherIsNoPartOfACondition() {
    let song = QueryColumn<Song, Song>(nil)
    let terms = (0..<100).map { song.id == $0 }
    let left = terms.dropFirst().reduce(terms[0]) { $0 || $1 }
    let right = terms.dropLast().reversed().reduce(terms[99]) { $1 || $0 }
    let halves =
      terms[1..<50].reduce(terms[0]) { $0 || $1 } || terms[51...].reduce(terms[50]) { $0 || $1 }
    #expect(left == right && left == halves)
    #expect(Set([left, right, halves]).count == 1)
    #expect(left.tree.text == right.tree.text)
    #expect(left != terms[1...].reduce(terms[1]) { $0 || $1 })
    #expect(!(!left) == left)
  }

  /// Nests `&&` in `||` and negates it, so that no terms can be joined.
  private func nested(_ depth: Int) -> Query<Song> {
    Song.where { song in
      (1..<depth).reduce(song.id == -1) { inner, level in
        level.isMultiple(of: 2) ? !(inner && song.id >= 0) : inner || song.id == -2
      }
    }
  }

  @Test func doubleNegationsVanish() throws {
    try withSongs { store throws in
      let query = Song.where { song in
        (0..<100_000).reduce(song.id < 10) { condition, _ in !condition }
      }
      #expect(try store.count(query) == 10)
    }
  }

  @Test(arguments: [3, 10, 50])
  func whatIsNestedIsRun(depth: Int) throws {
    try withSongs { store throws in
      let query = nested(depth)
      var isTrue = false
      for level in 1..<depth where level.isMultiple(of: 2) { isTrue = !isTrue }
      #expect(try store.count(query) == (isTrue ? 300 : 0))
      _ = try store.explain(query)
    }
  }

  @Test(arguments: [300, 1_000, 100_000])
  func whatIsNestedTooDeeplyIsAnErrorOfTheQuery(depth: Int) throws {
    try withSongs { store throws in
      let query = nested(depth)
      let error = StoreError.conditionTooDeep(model: "Song")
      #expect(throws: error) { try store.fetch(query) }
      #expect(throws: error) { try store.count(query) }
      #expect(throws: error) { try store.fetch(query.where { $0.plays == 3 }) }
      #expect(throws: error) {
        try store.fetch(Song.where { _ in !QueryCondition(query.core.condition) })
      }
      #expect(throws: error) { try store.write { _ = try $0.delete(query) } }
      #expect("\(try store.explain(query))".contains("nested too deeply"))
      #expect("\(error)".contains("Join terms side by side"))
      let (_, token) = store.show(query)
      store.onDiagnostic = { _ in }
      store.live.drain()
      #expect(token.error as? StoreError == error)
      #expect(query == nested(depth) && query != Song.all)
    }
  }

  /// Friends of friends, to a depth.
  private func friends<Root>(of tenant: QueryColumn<Root, Ref<Tenant>>, _ depth: Int)
    -> QueryCondition<Root>
  {
    depth == 0 ? tenant.born > 0 : tenant.friends.any { friends(of: $0, depth - 1) }
  }

  private func friends(_ depth: Int) -> Query<Tenant> {
    Tenant.where { $0.friends.any { friends(of: $0, depth) } }
  }

  @Test func elementConditionsAreNestedNoDeeper() throws {
    try withStore(of: House.self, Street.self, Tenant.self) { store in
      try store.write { tx in
        try tx.insert(Tenant(id: 1, name: "Ann", born: 1990, friends: [Ref(1)]))
        try tx.insert(Tenant(id: 2, name: "Bob", born: 1990, friends: []))
      }
      var depth = 1
      while friends(depth + 1).core.condition != .tooDeep { depth += 1 }
      #expect(depth > 10)
      try onSmallStack(store, friends(depth))
      #expect(throws: StoreError.conditionTooDeep(model: "Tenant")) {
        try store.fetch(friends(depth + 1))
      }
    }
  }

  @Test func theDeepestConditionFitsTheSmallestStack() throws {
    try withSongs { store throws in
      var depth = 2
      while nested(depth + 1).core.condition != .tooDeep { depth += 1 }
      #expect(nested(depth).core.condition.depth > ConditionTree.deepest - 3)
      try onSmallStack(store, nested(depth))
    }
  }

  /// Adds one to a property again and again.
  private func sum(_ depth: Int, of song: QueryColumn<Song, Song>) -> QueryColumn<Song, Int> {
    (1..<depth).reduce(song.plays) { sum, _ in sum + 1 }
  }

  /// An expression that a program nested in a loop ended the process, where a condition is an error.
  @Test(arguments: [ColumnExpression.deepest + 1, 300, 100_000])
  func anExpressionThatIsNestedTooDeeplyIsAnErrorOfTheQuery(depth: Int) throws {
    try withSongs { store throws in
      let query = Song.where { self.sum(depth, of: $0) > 3 }
      let error = StoreError.expressionTooDeep(model: "Song")
      #expect(throws: error) { try store.fetch(query) }
      #expect(throws: error) { try store.count(query) }
      #expect(throws: error) { try store.count(Song.where { !(self.sum(depth, of: $0) > 3) }) }
      #expect(throws: error) {
        try store.count(Song.where { (self.sum(depth, of: $0) % 7 ?? 0) * 2 == $0.plays })
      }
      #expect(throws: error) {
        try store.fetch(Song.all.order { [self.sum(depth, of: $0).descending] })
      }
      #expect(throws: error) { try store.fetch(Song.all.sum { self.sum(depth, of: $0) }) }
      #expect(throws: error) {
        try store.fetch(Song.all.grouped(by: { self.sum(depth, of: $0) }, .count))
      }
      #expect(throws: error) { try store.write { _ = try $0.delete(query) } }
      #expect("\(try store.explain(query))".contains("nested too deeply"))
      let (_, token) = store.show(query)
      store.onDiagnostic = { _ in }
      store.live.drain()
      #expect(token.error as? StoreError == error)
      #expect(query == Song.where { self.sum(depth + 9, of: $0) > 3 } && query != Song.all)
    }
  }

  @Test func theDeepestExpressionFitsTheSmallestStack() throws {
    try withSongs { store throws in
      let deepest = ColumnExpression.deepest
      #expect(try store.count(Song.where { self.sum(deepest, of: $0) == deepest + 4 }) == 30)
      let condition = Song.where { song in
        (2..<ConditionTree.deepest).reduce(self.sum(deepest, of: song) == -1) { inner, level in
          level.isMultiple(of: 2) ? !(inner && song.id >= 0) : inner || song.id == -2
        }
      }
      try onSmallStack(store, Song.where { self.sum(deepest, of: $0) == deepest + 4 })
      try onSmallStack(store, condition)
    }
  }

  /// Runs a query on a thread with the smallest stack.
  private func onSmallStack<M: Model>(_ store: Store, _ query: Query<M>) throws {
    let counts = Recorder<Int>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      // A run that throws leaves no count.
      if let count = try? store.count(query) { counts.add(count) }
      if let text = try? "\(store.explain(query))" { counts.add(text.isEmpty ? 0 : 1) }
      counts.add(query.hashValue == query.hashValue ? 1 : 0)
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    #expect(counts.all.count == 3)
  }
}
