import Testing
import TestSupport

@testable import Croft

/// Random commits under random queries: each viewer's list is equal to a fetch.
@Suite(.keepsFailedStores) struct LiveHubModelTests {
  @Test func viewersShowWhatAFetchGives() throws {
    var random = SeededGenerator.forTest("viewers")
    try withStore(of: Song.self, Album.self) { store in
      var viewers = (0..<6).map { _ in self.viewer(store, &random) }
      for step in 0..<Torture.steps(short: 400, long: 40_000) {
        try commit(store, &random)
        if random.oneIn(9) { viewers[random.below(6)] = viewer(store, &random) }
        // Some commits are delivered one by one, others together.
        guard random.oneIn(3) || step % 50 == 49 else { continue }
        store.live.drain()
        for (query, viewer, _) in viewers {
          #expect(try viewer.list == store.fetch(query), "seed \(random.seed)")
        }
      }
    }
  }

  private func viewer(
    _ store: Store, _ random: inout SeededGenerator
  ) -> (Query<Song>, Viewer<Song>, ObservationToken) {
    let bound = random.below(8)
    var query = random.oneIn(3) ? Song.all : Song.where { $0.plays >= bound }
    switch random.below(4) {
    case 0: query = query.order(by: \.plays.descending)
    case 1: query = query.order(by: \.title, \.plays)
    case 2: query = query.order(by: \.genre).distinct(by: \.plays)
    default: break
    }
    if random.oneIn(3) { query = query.limit(1 + random.below(12), offset: random.below(5)) }
    let (viewer, token) = store.show(query)
    return (query, viewer, token)
  }

  private func commit(_ store: Store, _ random: inout SeededGenerator) throws {
    do {
      try store.write { tx in
        for _ in 0..<1 + random.below(6) { try change(&tx, &random) }
        if random.oneIn(8) { throw Refused() }
      }
    } catch is Refused {}
  }

  private func change(_ tx: inout WriteTransaction, _ random: inout SeededGenerator) throws {
    let id = random.below(60)
    let plays = random.below(10)
    switch random.below(9) {
    case 0..<4:
      try tx.upsert(Song(id: id, title: "\(random.below(4))", plays: plays, genre: .jazz))
    case 4: try tx.delete(Song.self, id)
    case 5: try tx.update(Song.where { $0.plays == plays }, set: \.plays, to: random.below(10))
    case 6: try tx.delete(Song.where { $0.plays == plays })
    case 7 where random.oneIn(12): try tx.deleteAll(Song.self)
    default: try tx.update(Song.self, id) { $0.title += "x" }
    }
  }
}
