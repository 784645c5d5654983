#if DEBUG || CROFT_SWARM
  import Croft
  import Foundation
  import LMDB

  /// A way to write, for the loop that makes each of its calls fail.
  struct WritePath: Sendable {
    let name: String
    /// Makes the files that it begins with.
    var prepare: @Sendable (URL) throws -> Void = { try FaultLoop.prepare($0) }
    /// Does it; the code under test runs in the closure that it receives.
    let act: @Sendable (URL, (() throws -> Void) throws -> Void) throws -> Void
    /// What is there, read without faults: one text for what was there before, another for after.
    var content: @Sendable (URL) throws -> String = { try FaultLoop.content($0) }

    init(
      _ name: String, prepare: (@Sendable (URL) throws -> Void)? = nil,
      content: (@Sendable (URL) throws -> String)? = nil,
      _ act: @escaping @Sendable (URL, (() throws -> Void) throws -> Void) throws -> Void
    ) {
      self.name = name
      self.act = act
      if let prepare { self.prepare = prepare }
      if let content { self.content = content }
    }

    /// A transaction of a store that is open already.
    init(
      _ name: String,
      writing body: @escaping @Sendable (inout Croft.WriteTransaction) throws -> Void
    ) {
      self.init(name) { url, faulty in
        let store = try FaultLoop.open(url)
        try faulty { try store.write { try body(&$0) } }
        // The same store still works.
        try store.write { tx in
          try tx.insert(Song(id: 9_999, title: "afterwards"))
          try tx.delete(Song.self, 9_999)
        }
      }
    }
  }

  /// The stores of the loop, and the ways to write to them.
  enum FaultLoop {
    static func open(_ url: URL) throws -> Store {
      try Store.open(
        at: url, models: Song.self, Person.self, Club.self, Account.self, options: .forTests)
    }

    static func prepare(_ url: URL) throws {
      try open(url).write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<60))
        try tx.insert(contentsOf: (1...9).map { Person(id: $0) })
        try tx.insert(contentsOf: (10...19).map { Person(id: $0, boss: Ref($0 % 9 + 1)) })
        try tx.insert(Club(name: "c", founder: Ref(3), members: [Ref(12)]))
        try tx.insert(
          contentsOf: (0..<40).map { Account(id: $0, email: "\($0)@x", badges: [$0, 100 + $0]) })
      }
    }

    static func content(_ url: URL) throws -> String {
      let store = try open(url)
      guard try store.verify().isSound else { return "unsound: \(try store.verify().problems)" }
      return try store.read { tx in
        let rows: [Any] = [
          try tx.fetch(Song.all), try tx.fetch(Person.all), try tx.fetch(Club.all),
          try tx.fetch(Account.all),
        ]
        return "\(rows)"
      }
    }

    static let transactions: [WritePath] = [
      WritePath("insert") { try $0.insert(Song(id: 100, title: "new", plays: 3)) },
      WritePath("insert a large object") { tx in
        try tx.insert(Song(id: 100, title: String(repeating: "long", count: 3_000)))
      },
      WritePath("bulk insert") { try $0.insert(contentsOf: Song.numbered(100..<400)) },
      WritePath("upsert") { _ = try $0.upsert(Song(id: 5, title: "new", plays: 77)) },
      WritePath("update") { _ = try $0.update(Song.self, 7) { $0.plays = 77 } },
      WritePath("update by query") {
        _ = try $0.update(Song.where { $0.plays > 5 }) { $0.plays += 3 }
      },
      WritePath("set") { _ = try $0.update(Song.where { $0.plays > 5 }, set: \.plays, to: 50) },
      WritePath("delete") { _ = try $0.delete(Song.self, 7) },
      WritePath("delete by query") { _ = try $0.delete(Song.where { $0.genre == .rock }) },
      WritePath("delete all") { _ = try $0.deleteAll(Song.self) },
      WritePath("cascade") { _ = try $0.delete(Person.where { $0.id == 3 }) },
      WritePath("unique") { tx in
        try tx.delete(Account.where { $0.id < 30 })
        try tx.insert(Account(id: 50, email: "3@x", badges: [3]))
      },
      WritePath("savepoints") { tx in
        try tx.savepoint { tx in
          try tx.insert(Song(id: 200, title: "a"))
          try tx.savepoint { _ = try $0.delete(Song.self, 8) }
        }
        struct GivenUp: Error {}
        do {
          try tx.savepoint { tx in
            _ = try tx.deleteAll(Account.self)
            throw GivenUp()
          }
        } catch is GivenUp {}
      },
    ]

    /// The same where the models are replicated: the outbox has what they changed, or nothing of it.
    static let replicated: [WritePath] = transactions.map { path in
      WritePath(
        "\(path.name), replicated",
        prepare: { url in
          try prepare(url)
          let store = try open(url)
          try store.replicate([Song.self, Person.self, Club.self, Account.self], as: 1)
          try store.writeRemote { tx in
            for (object, _) in try tx.entries() { try tx.setEntry(nil, of: object) }
          }
        }, content: { try content($0) + outbox($0) }, path.act)
    }

    /// The entries of the outbox without their stamps, which are those of the time.
    private static func outbox(_ url: URL) throws -> String {
      let entries = try open(url).outbox().sorted { $0.key < $1.key }
      return entries.map { "\($0.key.model) \($0.key.key) \($0.value.kind)" }.joined(
        separator: ", ")
    }

    static let openings: [WritePath] = [
      WritePath("create", prepare: { _ in }) { url, faulty in
        try faulty { _ = try open(url) }
      },
      WritePath(
        "migration",
        prepare: { url in
          try Store.open(at: url, models: Before.Person.self, options: .forTests)
            .write { try $0.insert(contentsOf: MigrationTests.people(40)) }
        }, content: { "\(try migrated($0).fetch(After.Person.all))" },
        { url, faulty in try faulty { _ = try migrated(url) } }),
      WritePath(
        "index in steps",
        prepare: { url in
          try Store.open(at: url, models: Unindexed.Mark.self, options: .forTests).write { tx in
            try tx.insert(
              contentsOf: (0..<90).map { Unindexed.Mark(id: $0, rank: $0 % 9, name: "") })
          }
        },
        content: { url in
          let store = try StepwiseBuild.open(at: url, ByRank.Mark.self)
          let verification = try store.verify()
          return
            "\(verification.problems) \(verification.indexEntries) \(try store.fetch(ByRank.Mark.all))"
        },
        { url, faulty in
          try faulty { _ = try StepwiseBuild.open(at: url, ByRank.Mark.self) }
        }),
      WritePath("compaction") { url, faulty in
        try faulty { try Store.compact(at: url, options: .forTests) }
      },
      WritePath(
        "compaction by a rule",
        prepare: { url in
          try prepare(url)
          try open(url).write { tx in
            try tx.insert(Song(id: 900, title: String(repeating: "long", count: 50_000)))
          }
          try open(url).write { _ = try $0.delete(Song.self, 900) }
          let file = try open(url).statistics
          guard file.freeBytes >= file.fileBytes / 10 else { throw RuleDoesNotHold() }
        }
      ) { url, faulty in
        var options = Store.Options.forTests
        options.compaction = CompactionRule(leastFileBytes: 1, leastFreeShare: 0.1)
        try faulty { _ = try Store.open(at: url, models: Song.self, options: options) }
      },
      WritePath("backup", content: contentAndCopy) { url, faulty in
        let store = try open(url)
        try faulty { try store.backup(to: copy(of: url)) }
      },
      WritePath("compacted copy", content: contentAndCopy) { url, faulty in
        let store = try open(url)
        try faulty { try store.compact(to: copy(of: url)) }
      },
      WritePath(
        "restore",
        prepare: { url in
          try prepare(url)
          try open(url).backup(to: copy(of: url))
          try open(url).write { _ = try $0.deleteAll(Song.self) }
        }
      ) { url, faulty in
        let copy = try open(copy(of: url))
        try faulty { try copy.backup(to: url, replacesExisting: true) }
      },
    ]

    /// The storages of values by name, whose files are beside the store's.
    static let storages: [WritePath] =
      valuePaths("store") { StoreStorage(at: $0, options: .forTests) }
      + valuePaths("JSON file") { JSONFileStorage(at: $0) }

    private static func valuePaths(
      _ name: String, _ storage: @escaping @Sendable (URL) -> any ThrowingStorage
    ) -> [WritePath] {
      let values: @Sendable (URL) -> URL = {
        $0.deletingLastPathComponent().appending(path: "values")
      }
      let content: @Sendable (URL) throws -> String = { url in
        let storage = storage(values(url))
        let kept: [[Int]?] = try ["a", "b", "c"].map { try storage.tryLoad(forKey: $0) }
        return "\(kept)"
      }
      func path(
        _ verb: String, _ act: @escaping @Sendable (any ThrowingStorage) throws -> Void
      ) -> WritePath {
        WritePath(
          "\(verb) a value, \(name)",
          prepare: { url in
            try storage(values(url)).trySave([1, 2], forKey: "a")
            try storage(values(url)).trySave([3], forKey: "b")
          }, content: content,
          { url, faulty in
            let opened = storage(values(url))
            try faulty { try act(opened) }
            // The same storage still works.
            try opened.trySave("afterwards", forKey: "d")
            try opened.tryRemove(forKey: "d")
          })
      }
      return [
        path("save") { try $0.trySave([4, 5, 6], forKey: "c") },
        path("replace") { try $0.trySave(Array(0..<2_000), forKey: "a") },
        path("remove") { try $0.tryRemove(forKey: "b") },
      ]
    }

    static func copy(of url: URL) -> URL {
      url.deletingLastPathComponent().appending(path: "copy.croft")
    }

    private struct RuleDoesNotHold: Error {}

    private static func migrated(_ url: URL) throws -> Store {
      try Store.open(
        at: url, models: After.Person.self, options: .forTests,
        migrations: [MigrationTests.ages, MigrationTests.names])
    }

    @Sendable private static func contentAndCopy(_ url: URL) throws -> String {
      let copy = copy(of: url)
      let isThere = FileManager.default.fileExists(atPath: copy.path)
      return try content(url) + (isThere ? try content(copy) : "no copy")
    }
  }
#endif
