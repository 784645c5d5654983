import Foundation
import LMDB
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct StoreCopyingTests {
  /// A copy's place beside the store.
  private func place(_ temporary: TemporaryStore, _ name: String = "copy.croft") -> URL {
    temporary.folder.appending(path: name)
  }

  private func open(_ url: URL) throws -> Store {
    try Store.open(at: url, models: Song.self, options: .forTests)
  }

  @Test func aBackupIsAStoreOfItsOwnThatVerifies() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<300)) }
      try store.backup(to: place(temporary))
      try store.write { _ = try $0.deleteAll(Song.self) }
      let copy = try open(place(temporary))
      #expect(try copy.fetch(Song.all) == Song.numbered(0..<300))
      #expect(try copy.verify().isSound)
      try copy.write { try $0.insert(Song(id: 1_000, title: "in the copy")) }
      #expect(try store.count(Song.all) == 0)
    }
  }

  @Test func aBackupIsMadeWhileWritersGoOnAndIsOneCommit() async throws {
    try await withStore(of: Song.self) { store in
      let folder = URL(filePath: store.environment.path).deletingLastPathComponent()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for round in 0..<60 {
            try await store.write { tx in
              try tx.insert(contentsOf: Song.numbered(round * 10..<round * 10 + 10))
            }
          }
        }
        for number in 0..<6 {
          group.addTask {
            let url = folder.appending(path: "copy \(number).croft")
            if number % 2 == 0 {
              try await store.backup(to: url)
            } else {
              try await store.compact(to: url)
            }
          }
        }
        try await group.waitForAll()
      }
      for number in 0..<6 {
        let copy = try open(folder.appending(path: "copy \(number).croft"))
        let songs = try await copy.fetch(Song.all)
        #expect(songs.count.isMultiple(of: 10))
        #expect(songs == Song.numbered(0..<songs.count))
        #expect(try await copy.verify().isSound)
      }
      #expect(try await store.count(Song.all) == 600)
    }
  }

  @Test func aBackupRefusesAnExistingFileUnlessTold() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      try store.backup(to: place(temporary))
      let bytes = try Data(contentsOf: place(temporary))
      try store.write { _ = try $0.delete(Song.self, 0) }
      let error = StoreError.thrown { try store.backup(to: place(temporary)) }
      guard case .cannotWrite(place(temporary).path, _) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(error?.description.contains("replacesExisting") == true)
      #expect(try Data(contentsOf: place(temporary)) == bytes)
      try store.backup(to: place(temporary), replacesExisting: true)
      #expect(try open(place(temporary)).count(Song.all) == 4)
    }
  }

  @Test func aStoreThatIsOpenIsNotReplacedByABackup() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      let other = try open(place(temporary))
      try other.write { try $0.insert(Song(id: 1, title: "kept")) }
      let error = StoreError.thrown {
        try store.backup(to: place(temporary), replacesExisting: true)
      }
      guard case .busy = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(try other.count(Song.all) == 1)
    }
  }

  @Test func aBackupIntoNowhereSaysSo() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      let error = StoreError.thrown { try store.backup(to: place(temporary, "no/copy.croft")) }
      #expect(error?.description.contains("make the folder first") == true)
      #expect(StoreError.thrown { try store.backup(to: temporary.folder) } != nil)
      #expect(try temporary.files == ["store.croft", "store.croft-lock"])
    }
  }

  @Test func aBackupInsideAWriteIsAnErrorAndNoDeadlock() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "a"))
        #expect(throws: StoreError.nestedWrite) { try store.backup(to: place(temporary)) }
      }
      #expect(try store.count(Song.all) == 1)
    }
  }

  @Test func aBackupMeetsAWriterForNoLongerThanAsked() async throws {
    let options = Store.Options.forTests { $0.writerTimeout = .milliseconds(10) }
    try await withStore(of: Song.self, options: options) { store in
      let gate = Gate()
      let write = Task { try await store.write { _ in gate.pass() } }
      await gate.reached()
      let url = URL(filePath: store.environment.path + "-copy")
      let error = StoreError.thrown { try store.backup(to: url) }
      gate.open()
      try await write.value
      guard case .busy = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      try await store.backup(to: url)
    }
  }

  /// A store of songs of which most are gone again.
  private func fillAndDelete(_ temporary: TemporaryStore) throws {
    let store = try temporary.open()
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<5_000)) }
    try store.write { _ = try $0.delete(Song.where { $0.id >= 50 }) }
  }

  private func size(_ url: URL) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
  }

  @Test func aCompactedCopyHoldsTheSameInLess() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      try fillAndDelete(temporary)
      let store = try temporary.open()
      try store.compact(to: place(temporary))
      #expect(try size(place(temporary)) * 4 < size(temporary.url))
      let copy = try open(place(temporary))
      #expect(try copy.fetch(Song.all) == Song.numbered(0..<50))
      #expect(try copy.verify().isSound)
    }
  }

  @Test func compactingAStoreThatNobodyHasOpenGivesItsFreePagesBack() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      try fillAndDelete(temporary)
      let before = try size(temporary.url)
      try Store.compact(at: temporary.url, options: .forTests)
      #expect(try size(temporary.url) * 4 < before)
      let store = try temporary.open()
      #expect(try store.fetch(Song.all) == Song.numbered(0..<50))
      try store.write { try $0.insert(contentsOf: Song.numbered(50..<100)) }
      #expect(try store.verify().isSound)
      let error = StoreError.thrown { try Store.compact(at: temporary.url, options: .forTests) }
      guard case .busy = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(error?.isRetryable == true)
    }
  }

  @Test func aStoreIsCompactedAtItsOpeningWhenTheRuleSaysSo() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      try fillAndDelete(temporary)
      let before = try size(temporary.url)
      func reopen(_ rule: CompactionRule?) throws -> Int {
        let options = Store.Options.forTests { $0.compaction = rule }
        let store = try Store.open(at: temporary.url, models: Song.self, options: options)
        #expect(try store.count(Song.all) == 50)
        return try size(temporary.url)
      }
      #expect(try reopen(nil) == before)
      #expect(try reopen(CompactionRule(leastFileBytes: before + 1)) == before)
      #expect(try reopen(CompactionRule(leastFileBytes: 0, leastFreeShare: 1)) == before)
      do {
        // Open already: it stays as it is.
        let store = try temporary.open()
        #expect(try reopen(CompactionRule(leastFileBytes: 0)) == before)
        #expect(try store.count(Song.all) == 50)
      }
      #expect(try reopen(CompactionRule(leastFileBytes: 0)) * 4 < before)
    }
  }

  /// The file was opened for reading first, to see how much of it is free, and another thread that
  /// opened it meanwhile got the error that its options differ.
  @Test func manyOpeningsWithARuleAgreeOnTheirOptions() throws {
    let rule = CompactionRule(leastFileBytes: 0, leastFreeShare: 0.5)
    let options = Store.Options.forTests { $0.compaction = rule }
    try withTemporaryStore(of: Song.self, options: options) { temporary in
      for _ in 0..<10 {
        try fillAndDelete(temporary)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
          do {
            #expect(try temporary.open().count(Song.all) == 50)
          } catch {
            Issue.record(error)
          }
        }
        try temporary.open().write { _ = try $0.delete(Song.all) }
      }
    }
  }

  @Test func aRuleForACompactionMeetsANewStoreAndAForeignFile() throws {
    let options = Store.Options.forTests { $0.compaction = CompactionRule(leastFileBytes: 0) }
    try withTemporaryStore(of: Song.self, options: options) { temporary in
      #expect(try temporary.open().count(Song.all) == 0)
      try Data("notes".utf8).write(to: place(temporary))
      let error = StoreError.thrown {
        _ = try Store.open(at: place(temporary), models: Song.self, options: options)
      }
      guard case .notACroftFile = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
    }
  }

  @Test func whatIsNoStoreIsNotCompacted() throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      try fillAndDelete(temporary)
      let whole = try Data(contentsOf: temporary.url)
      for bytes in [Data("notes".utf8), whole.prefix(whole.count / 2)] {
        try bytes.write(to: place(temporary))
        let error = StoreError.thrown {
          try Store.compact(at: place(temporary), options: .forTests)
        }
        switch error {
        case .notACroftFile, .corrupt: break
        default: Issue.record("another error: \(String(describing: error))")
        }
        #expect(try Data(contentsOf: place(temporary)) == bytes)
      }
      let error = StoreError.thrown {
        try Store.compact(at: place(temporary, "missing"), options: .forTests)
      }
      guard case .cannotOpen = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
    }
  }

  @Test func aStoreInMemoryIsKeptByABackup() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try Store.inMemory(models: Song.self)
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      try store.backup(to: temporary.url)
      #expect(try temporary.open().fetch(Song.all) == Song.numbered(0..<20))
    }
  }
}
