import Testing
import TestSupport

@testable import Croft

/// Which queries are found for a row: all that it may match, and few others.
struct ObserverIndexTests {
  private let layout = RecordLayout(schema: Song._schema.erased, id: 1)

  private func index(_ queries: [Query<Song>]) -> ObserverIndex {
    var index = ObserverIndex()
    for (id, query) in queries.enumerated() { index.insert(id, query.core, Song._schema.erased) }
    return index
  }

  private func change(_ old: Song?, _ new: Song?, isForeign: Bool = false) throws -> RowDelta {
    try #require(RowDelta(old, new, layout, isForeign: isForeign))
  }

  @Test func ofTenThousandQueriesByValueOneIsFound() throws {
    var index = index((0..<10_000).map { id in Song.where { $0.id == id && $0.plays >= 0 } })
    let song = Song(id: 77, title: "one")
    #expect(try index.observers(of: try change(song, nil)) == [77])
    #expect(index.found == 1)
  }

  @Test func ofTenThousandQueriesByRangeOneIsFound() throws {
    var index = index(
      (0..<10_000).map { id in Song.where { $0.plays >= id * 10 && $0.plays < id * 10 + 10 } })
    #expect(try index.observers(of: try change(nil, Song(id: 1, title: "", plays: 55))) == [5])
    #expect(index.found == 1)
  }

  @Test func aRowThatGoesFromOneValueToAnotherConcernsBoth() throws {
    var index = index((0..<5).map { plays in Song.where { $0.plays == plays } })
    let (old, new) = (Song(id: 1, title: "", plays: 2), Song(id: 1, title: "", plays: 4))
    #expect(try index.observers(of: try change(old, new)) == [2, 4])
  }

  @Test func aQueryWithoutAConditionOnOneColumnHearsOfAll() throws {
    var index = index([
      Song.all, Song.where { $0.plays == 1 || $0.id == 2 }, Song.where { $0.plays == 9 },
      Song.where { !($0.plays == 3) },
    ])
    #expect(try index.observers(of: try change(nil, Song(id: 1, title: ""))) == [0, 1, 3])
  }

  @Test func aChangeOfWhichTheOldRowIsNotKnownConcernsAll() throws {
    var index = index((0..<5).map { plays in Song.where { $0.plays == plays } })
    let gone = RowDelta(
      key: StoredRow(Song(id: 1, title: ""), layout).key, old: nil, new: nil, isOldKnown: false)
    #expect(try index.observers(of: gone) == [0, 1, 2, 3, 4])
  }

  @Test func aRemovedQueryHearsNothing() throws {
    var index = index((0..<40).map { id in Song.where { $0.plays >= id } })
    let song = try change(nil, Song(id: 1, title: "", plays: 2))
    #expect(try index.observers(of: song) == [0, 1, 2])
    index.remove(1)
    #expect(try index.observers(of: song) == [0, 2])
    index.insert(1, Song.where { $0.plays < 5 }.core, Song._schema.erased)
    #expect(try index.observers(of: song) == [0, 1, 2])
    for id in 0..<40 { index.remove(id) }
    #expect(index.isEmpty)
    #expect(try index.observers(of: song) == [])
  }

  @Test func noQueryThatARowMatchesIsPassedOver() throws {
    var random = SeededGenerator.forTest("observer index")
    let schema = Plain.Thing._schema.erased
    let layout = RecordLayout(schema: schema, id: 1)
    for _ in 0..<Torture.steps(short: 12, long: 3_000) {
      let things = (0..<30).map { _ in Plain.Thing.random(Int16(random.below(9)), &random) }
      let rows = things.map(\.values)
      var index = ObserverIndex()
      var conditions: [Int: ReferenceQuery] = [:]
      for id in 0..<60 {
        let query = random.query(schema, rows)
        conditions[id] = ReferenceQuery(
          condition: query.condition, order: [], distinct: [], limit: nil, offset: 0)
        index.insert(id, Query<Plain.Thing>(query).core, schema)
        if random.oneIn(4) {
          let gone = random.below(id + 1)
          conditions[gone] = nil
          index.remove(gone)
        }
      }
      for _ in 0..<30 {
        let (old, new) = (random.pick(things), random.pick(things))
        let change = try #require(RowDelta(old, new, layout))
        let found = try index.observers(of: change)
        for (id, condition) in conditions where !found.contains(id) {
          let isConcerned = !condition.run([old.values, new.values]).isEmpty
          #expect(!isConcerned, "seed \(random.seed): \(condition.condition)")
        }
        #expect(found.isSubset(of: conditions.keys), "seed \(random.seed)")
      }
    }
  }
}
