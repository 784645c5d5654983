#if DEBUG || CROFT_SWARM
  import Croft
  import Foundation
  import LMDB

  /// The ways to write to an index for searches: rows that wait, a flush, a merge, and a build.
  extension FaultLoop {
    static let searches: [WritePath] = [
      search("a search index has a row that waits") { tx in
        _ = try tx.upsert(Essay(id: 5, title: "새 우유 5"))
        _ = try tx.delete(Essay.self, 6)
      },
      search("a search index is flushed") { tx in
        try tx.upsert(contentsOf: essays(100..<400, round: 1))
      },
      search("segments of a search index are merged", rounds: 7) { tx in
        try tx.insert(contentsOf: essays(10_000..<10_300, round: 8))
      },
      search("a search index is emptied") { _ = try $0.deleteAll(Essay.self) },
      search("a transaction searches what it has written") { tx in
        try tx.update(Essay.where { $0.title.matches("우유 3*") }, set: \.body, to: "빵")
        _ = try tx.delete(Essay.where { $0.matches("빵 우유 33") })
        do {
          try tx.savepoint { tx in
            _ = try tx.delete(Essay.where { $0.matches("우유") })
            throw Refused()
          }
        } catch is Refused {}
      },
      WritePath(
        "a search index is rebuilt", prepare: { try prepareEssays($0, rounds: 2) },
        content: essayContent
      ) { url, faulty in
        let store = try openEssays(url)
        try faulty { try store.rebuildIndexes() }
      },
      WritePath(
        "a search index in steps",
        prepare: { url in
          try Store.open(at: url, models: Unsearched.Essay.self, options: .forTests).write { tx in
            try tx.insert(
              contentsOf: (0..<90).map { Unsearched.Essay(id: $0, title: "우유 \($0)") })
          }
        },
        content: { url in
          let store = try StepwiseBuild.open(at: url, Essay.self)
          return "\(try store.verify().problems) \(try found(in: store))"
        },
        { url, faulty in try faulty { _ = try StepwiseBuild.open(at: url, Essay.self) } }),
    ]

    private static func search(
      _ name: String, rounds: Int = 2,
      writing body: @escaping @Sendable (inout Croft.WriteTransaction) throws -> Void
    ) -> WritePath {
      WritePath(name, prepare: { try prepareEssays($0, rounds: rounds) }, content: essayContent) {
        url, faulty in
        let store = try openEssays(url)
        try faulty { try store.write { try body(&$0) } }
      }
    }

    private static func openEssays(_ url: URL) throws -> Store {
      try Store.open(at: url, models: Essay.self, options: .forTests)
    }

    /// More than may wait for a number, so that each round is a segment.
    private static func prepareEssays(_ url: URL, rounds: Int) throws {
      let store = try openEssays(url)
      for round in 0..<rounds {
        let first = round * 300
        try store.write { tx in
          try tx.insert(contentsOf: essays(first..<first + 300, round: round))
        }
      }
    }

    private static func essays(_ ids: Range<Int>, round: Int) -> [Essay] {
      ids.map { Essay(id: $0, title: "우유 \($0 % 40)", tags: ["b\(round)"]) }
    }

    @Sendable private static func essayContent(_ url: URL) throws -> String {
      let store = try openEssays(url)
      guard try store.verify().isSound else { return "unsound: \(try store.verify().problems)" }
      return try found(in: store)
    }

    /// The rows, and what the index finds of them.
    private static func found(in store: Store) throws -> String {
      try store.read { tx in
        let searches = try ["우유 3", "b1", "ㅇㅇ", "새*", "빵 우유", "-b0"].map { query in
          try tx.fetch(Essay.where { $0.matches(query) }).map(\.id)
        }
        return "\(searches) \(try tx.fetch(Essay.all))"
      }
    }
  }
#endif
