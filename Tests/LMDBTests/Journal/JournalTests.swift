import CroftLibc
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LMDB

#if os(Linux)
  /// What is committed by way of the journal, and what an opening makes of the two files.
  @Suite struct JournalTests {
    static func options(
      _ durability: Environment.Durability = .journal
    ) -> Environment.Options {
      .forTests { $0.durability = durability }
    }

    static func open(_ path: String) throws -> Environment {
      try Environment.open(at: path, options: options())
    }

    static func put(_ value: String, at key: String, in environment: Environment) throws {
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.put(value, at: key, in: database)
      }
    }

    static func rows(_ environment: Environment) throws -> [String] {
      try environment.read { transaction in
        guard let database = try transaction.database(named: "d") else { return [] }
        return try transaction.rows(of: database).map { row in
          row.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "=")
        }
      }
    }

    /// Copies a file as it is, as a power cut leaves it, over one that is there.
    static func copy(_ path: String, to other: String) throws {
      // There need be none.
      try? FileManager.default.removeItem(atPath: other)
      try FileManager.default.copyItem(atPath: path, toPath: other)
    }

    static func session(of path: String) throws -> JournalMarker.Session? {
      try DataFile(openingAt: path, options(.full)).journalMarker?.session
    }

    /// The state of a file when a session begins, and at its end.
    private struct Cut {
      let folder = TemporaryFolder()
      var live: String { folder.path("live") }
      var image: String { folder.path("image") }
      var journal: String { image + "-journal" }

      /// Commits `a` in LMDB's way and the others by the journal; the image has the data file of the first.
      init() throws {
        let environment = try JournalTests.open(live)
        try JournalTests.put("1", at: "a", in: environment)
        try JournalTests.put("2", at: "b", in: environment)
        #expect(try JournalTests.session(of: live) != JournalMarker.Session.none)
        try JournalTests.copy(live, to: image)
        for (key, value) in [("b", "3"), ("c", "4"), ("d", "5")] {
          try JournalTests.put(value, at: key, in: environment)
        }
        try JournalTests.copy(live + "-journal", to: journal)
      }
    }

    @Test func aProcessThatWritesOnceOpensNoSession() throws {
      let folder = TemporaryFolder()
      let path = folder.path()
      for step in 0..<3 {
        let environment = try Self.open(path)
        try Self.put("\(step)", at: "a", in: environment)
        #expect(try Self.session(of: path) == JournalMarker.Session.none)
      }
      let environment = try Self.open(path)
      try Self.put("3", at: "a", in: environment)
      try Self.put("4", at: "a", in: environment)
      #expect(try Self.session(of: path) != JournalMarker.Session.none)
    }

    @Test func theLastUserLeavesAFileThatIsCompleteAlone() throws {
      let folder = TemporaryFolder()
      do {
        let environment = try Self.open(folder.path())
        for step in 0..<5 { try Self.put("\(step)", at: "a", in: environment) }
      }
      #expect(try Self.session(of: folder.path()) == JournalMarker.Session.none)
      try Self.copy(folder.path(), to: folder.path("alone"))
      #expect(try Self.rows(try Self.open(folder.path("alone"))) == ["a=4"])
    }

    @Test func commitsWhosePagesAreLostAreReplayed() throws {
      let cut = try Cut()
      for durability in [Environment.Durability.full, .journal, .relaxed, .unsafe] {
        let folder = TemporaryFolder()
        try Self.copy(cut.image, to: folder.path())
        try Self.copy(cut.journal, to: folder.path() + "-journal")
        let environment = try Environment.open(
          at: folder.path(), options: Self.options(durability))
        #expect(try Self.rows(environment) == ["a=1", "b=3", "c=4", "d=5"])
        try Self.put("6", at: "e", in: environment)
        #expect(try Self.rows(environment).last == "e=6")
      }
    }

    @Test func aRecordThatWasNotWrittenAsAWholeEndsTheReplay() throws {
      let cut = try Cut()
      let journal = try Data(contentsOf: URL(filePath: cut.journal))
      // The second record of the session is the third commit's: its first byte after the head changes.
      let offset = JournalFile.recordsOffset + JournalFile.blockBytes * 2 + 40
      var damaged = journal
      damaged[offset] ^= 1
      try damaged.write(to: URL(filePath: cut.journal))
      #expect(try Self.rows(try Self.open(cut.image)) == ["a=1", "b=3"])
    }

    @Test func aFileWithoutItsJournalIsRefused() throws {
      let cut = try Cut()
      try FileManager.default.removeItem(atPath: cut.journal)
      for durability in [Environment.Durability.full, .journal] {
        let error = lmdbError {
          _ = try Environment.open(at: cut.image, options: Self.options(durability))
        }
        #expect(error?.code == .journalMissing)
      }
    }

    @Test func aFileWhoseJournalIsLostIsTakenAsItIs() throws {
      let cut = try Cut()
      try FileManager.default.removeItem(atPath: cut.journal)
      let options = Self.options()
      try Environment.recover(at: cut.image, options: options)
      #expect(try Self.rows(try Self.open(cut.image)) == ["a=1", "b=2"])
      // One that is sound, or has its journal, loses nothing.
      try Environment.recover(at: cut.image, options: options)
      try Self.copy(cut.live, to: cut.image)
      try Self.copy(cut.live + "-journal", to: cut.journal)
      try Environment.recover(at: cut.image, options: options)
      #expect(try Self.rows(try Self.open(cut.image)) == ["a=1", "b=3", "c=4", "d=5"])
    }

    @Test func aDamagedFileWhoseJournalIsLostIsLeftAsItIs() throws {
      let cut = try Cut()
      try FileManager.default.removeItem(atPath: cut.journal)
      var bytes = try Data(contentsOf: URL(filePath: cut.image))
      for offset in 8_192..<bytes.count { bytes[offset] = 0x5A }
      try bytes.write(to: URL(filePath: cut.image))
      #expect(
        lmdbError { try Environment.recover(at: cut.image, options: Self.options()) } != nil)
      #expect(try Data(contentsOf: URL(filePath: cut.image)) == bytes)
    }

    /// The C library would trust a damaged page, and end the process.
    @Test func aDamagedPageIsFoundBeforeAReplay() throws {
      let cut = try Cut()
      let bytes = try Data(contentsOf: URL(filePath: cut.image))
      let journal = try Data(contentsOf: URL(filePath: cut.journal))
      var refused = 0
      for page in 2..<bytes.count / 4_096 {
        for offset in [0, 10, 12, 14, 16, 18] {
          var damaged = bytes
          damaged[page * 4_096 + offset] ^= 0xFF
          let folder = TemporaryFolder()
          try damaged.write(to: URL(filePath: folder.path()))
          try journal.write(to: URL(filePath: folder.path() + "-journal"))
          let error = lmdbError {
            let rows = try Self.rows(try Self.open(folder.path()))
            #expect(rows == ["a=1", "b=3", "c=4", "d=5"], "page \(page), byte \(offset)")
          }
          guard let error else { continue }
          refused += 1
          #expect(error.isDamage, "page \(page), byte \(offset): \(error)")
          // The file's last commits may be read as far as they are sound: it was left at the checkpoint.
          #expect(try Data(contentsOf: URL(filePath: folder.path())) == damaged)
          let path = folder.path()
          #expect(lmdbError { try Environment.recover(at: path, options: Self.options()) } != nil)
          #expect(try Data(contentsOf: URL(filePath: path)) == damaged)
          try Environment.recover(at: path, options: Self.options(), acceptsDamage: true)
          #expect(try Self.session(of: path) == JournalMarker.Session.none)
        }
      }
      #expect(refused > 0)
      try bytes.prefix(8_192).write(to: URL(filePath: cut.image))
      #expect(lmdbError { _ = try Self.open(cut.image) }?.isDamage == true)
    }

    @Test func aJournalOfAnotherSessionIsRefused() throws {
      let cut = try Cut()
      let other = try Cut()
      try Self.copy(other.journal, to: cut.journal)
      #expect(lmdbError { _ = try Self.open(cut.image) }?.code == .journalMissing)
      // Nothing has changed: with its own journal the file opens.
      try Self.copy(cut.live + "-journal", to: cut.journal)
      #expect(try Self.rows(try Self.open(cut.image)).count == 4)
    }

    @Test func aCommitOfAProgramWithoutAJournalIsNotUndone() throws {
      let cut = try Cut()
      // Another program commits more than the journal has.
      let handle = try EnvironmentHandle.open(cut.image, Self.options(.full))
      for step in 0..<9 {
        let transaction = try #require(handle.begin(isReadOnly: false).handle)
        _ = transaction.openDatabase("step \(step)", flags: OpeningFlag.create)
        #expect(transaction.commit() == 0)
      }
      handle.close()
      #expect(lmdbError { _ = try Self.open(cut.image) }?.code == .journalMissing)
    }

    @Test func aReaderAloneDoesNotReplay() throws {
      let cut = try Cut()
      let reading = Environment.Options.forTests { $0.isReadOnly = true }
      #expect(
        lmdbError { _ = try Environment.open(at: cut.image, options: reading) }?.code
          == .needsReplay)
      #expect(try Self.rows(try Self.open(cut.image)).count == 4)
      #expect(try Self.rows(try Environment.open(at: cut.image, options: reading)).count == 4)
    }

    @Test func aReaderMayReplayWhereItMayWrite() throws {
      let cut = try Cut()
      let reading = Environment.Options.forTests { $0.isReadOnly = true }
      #expect(try Environment.replayJournal(at: cut.image, options: reading))
      #expect(try Self.session(of: cut.image) == JournalMarker.Session.none)
      #expect(try Self.rows(try Environment.open(at: cut.image, options: reading)).count == 4)
    }

    @Test func aTransactionThatIsTooLargeOrCreatesATreeIsOnTheDiskAsPages() throws {
      let folder = TemporaryFolder()
      let environment = try Self.open(folder.path())
      try Self.put("1", at: "a", in: environment)
      let large = String(repeating: "x", count: RedoRecord.mostBytes)
      for (key, value) in [("b", "2"), ("c", large), ("d", "3")] {
        try Self.put(value, at: key, in: environment)
      }
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d2")
        try transaction.put("1", at: "a", in: database)
      }
      try Self.put("4", at: "e", in: environment)
      let image = folder.path("image")
      try Self.copy(folder.path(), to: image)
      try Self.copy(folder.path() + "-journal", to: image + "-journal")
      let opened = try Self.open(image)
      #expect(try Self.rows(opened) == ["a=1", "b=2", "c=\(large)", "d=3", "e=4"])
      #expect(try opened.read { try $0.database(named: "d2") } != nil)
    }

    /// A journal has room for about two thousand small records, and a checkpoint comes before that.
    @Test func manyCommitsFollowOneAnotherInTheJournal() throws {
      let folder = TemporaryFolder()
      let environment = try Self.open(folder.path())
      for step in 0..<600 { try Self.put("\(step)", at: "\(step % 50)", in: environment) }
      let image = folder.path("image")
      try Self.copy(folder.path(), to: image)
      try Self.copy(folder.path() + "-journal", to: image + "-journal")
      #expect(try Self.rows(try Self.open(image)) == Self.rows(environment))
      // The pages of old checkpoints are used again.
      #expect(try environment.fileBytes < 8 << 20)
    }

    /// Whatever is done in a transaction, its record does it again.
    @Test(arguments: 0..<4) func aReplayDoesWhatTheTransactionsDid(_ seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let folder = TemporaryFolder()
      let environment = try Self.open(folder.path())
      try Self.put("first", at: "first", in: environment)
      try Self.put("second", at: "second", in: environment)
      for round in 0..<6 {
        let image = folder.path("image \(round)")
        try environment.write { _ in }
        environment.core.rest()
        try Self.copy(folder.path(), to: image)
        for _ in 0..<20 {
          // What throws aborts the transaction.
          _ = lmdbError { try environment.write { try Self.change(&$0, &random) } }
        }
        try Self.copy(folder.path() + "-journal", to: image + "-journal")
        let found = try Self.rows(try Self.open(image))
        #expect(try found == Self.rows(environment), "seed \(seed), round \(round)")
      }
    }

    private static func change(
      _ transaction: inout WriteTransaction, _ random: inout SeededGenerator
    ) throws {
      let database = try transaction.openDatabase(named: "d")
      for _ in 0..<1 + random.below(6) {
        let key = "\(random.below(40))"
        switch random.below(10) {
        case 0: try transaction.delete(key.bytes.span.bytes, in: database)
        case 1: try transaction.deleteRange(.prefix("\(random.below(4))".bytes), in: database)
        case 2 where random.oneIn(6): try transaction.empty(database)
        case 3:
          if try transaction.find(key.bytes.span.bytes, in: database) != nil {
            let value = "replaced \(random.below(100))".bytes
            try transaction.replace(value.span.bytes, at: key.bytes.span.bytes, in: database)
          }
        case 4:
          let value = String(repeating: "v", count: random.below(6_000))
          try transaction.put(value, at: key, in: database)
        case 5:
          // An error, and a nested transaction without effect.
          _ = lmdbError {
            try transaction.nested { inner in
              try inner.put("nested", at: key, in: database)
              if random.oneIn(2) { throw LMDBError(.put, .badLength) }
            }
          }
        case 6 where random.oneIn(4): throw LMDBError(.put, .badLength)
        case 7: try transaction.put("\(random.below(100))", at: key, in: database, mode: .insert)
        default: try transaction.put("\(random.below(100))", at: key, in: database)
        }
      }
    }

    /// A process that found no journal, and another that gave the file one before the first had opened it.
    @Test func aFileThatGetsAJournalWhileItIsOpenedIsOpenedAgain() throws {
      let folder = TemporaryFolder()
      let full = Self.options(.full)
      do { try Self.put("1", at: "a", in: try Environment.open(at: folder.path(), options: full)) }
      let file = try DataFile(openingAt: folder.path(), full)
      #expect(try Journal.open(for: file, full) == nil)
      #expect(try Journal.open(for: file, Self.options(.journal)) != nil)
      let error = lmdbError { _ = try EnvironmentCore(opening: file, full, nil, treeCount: 0) }
      #expect(error?.code == .replaced)
      #expect(try Self.rows(try Environment.open(at: folder.path(), options: full)) == ["a=1"])
    }

    @Test func anAbortedWriteLeavesNoPinForLong() throws {
      let folder = TemporaryFolder()
      let environment = try Self.open(folder.path())
      for step in 0..<3 { try Self.put("\(step)", at: "a", in: environment) }
      let journal = try #require(environment.core.journal)
      #expect(journal.hasPin)
      #expect(environment.core.rest())
      #expect(!journal.hasPin)
      environment.core.isRestScheduled.store(false, ordering: .relaxed)
      _ = lmdbError { try environment.write { _ in throw LMDBError(.put, .badLength) } }
      #expect(journal.hasPin)
      let isScheduled = environment.core.isRestScheduled.load(ordering: .relaxed)
      #expect(isScheduled)
    }

    /// A large commit was visible before it was on the disk: a reader saw what a power cut took back.
    @Test func aCommitWithoutOperationsIsOnTheDiskWhenItIsSeen() throws {
      let folder = TemporaryFolder()
      let environment = try Self.open(folder.path())
      for step in 0..<3 { try Self.put("\(step)", at: "a", in: environment) }
      let image = folder.path("image")
      // The journal of before the checkpoint that follows the commit.
      try Self.copy(folder.path() + "-journal", to: image + "-journal")
      let large = String(repeating: "x", count: RedoRecord.mostBytes)
      try Self.put(large, at: "b", in: environment)
      try Self.copy(folder.path(), to: image)
      // The record of the large commit, without the checkpoint.
      let journal = try Data(contentsOf: URL(filePath: folder.path() + "-journal"))
      var before = try Data(contentsOf: URL(filePath: image + "-journal"))
      before[JournalFile.recordsOffset...] = journal[JournalFile.recordsOffset...]
      try before.write(to: URL(filePath: image + "-journal"))
      #expect(try Self.rows(try Self.open(image)) == ["a=2", "b=\(large)"])
    }

    /// A reader that closed last left the session open, so that no reader could open the file.
    @Test func aReaderThatClosesLastLeavesACompleteFile() async throws {
      let folder = TemporaryFolder()
      let path = folder.path()
      do { try Self.put("0", at: "a", in: try Self.open(path)) }
      let file = try DataFile(openingAt: path, Self.options())
      let reader = try #require(try JournalFile(openingFor: file, isReadOnly: true))
      #expect(try reader.use(isWriting: false))
      do {
        let environment = try Self.open(path)
        for step in 0..<3 { try Self.put("\(step)", at: "a", in: environment) }
      }
      #expect(try file.journalMarker?.isOpen == false)
    }

    /// A file whose journal was removed gets another one, whose name nobody had waited for.
    @Test func aJournalThatIsMadeAgainHoldsWhatIsCommitted() throws {
      let folder = TemporaryFolder()
      for round in 0..<2 {
        do {
          let environment = try Self.open(folder.path())
          for step in 0..<3 { try Self.put("\(round) \(step)", at: "a", in: environment) }
        }
        try FileManager.default.removeItem(atPath: folder.path() + "-journal")
      }
      #expect(try Self.rows(try Self.open(folder.path())) == ["a=1 2"])
    }

    /// LMDB tells readers apart by the numbers of their processes, and the second one could not begin to read.
    @Test func aProcessOfAnotherContainerWithTheSameNumberIsRefused() throws {
      let folder = TemporaryFolder()
      do { try Self.put("0", at: "a", in: try Self.open(folder.path())) }
      let (descriptor, code) = FileCalls.open(folder.path() + "-lock", O_RDWR | O_CLOEXEC)
      #expect(code == 0)
      #expect(FileCalls.lock(descriptor, byteAt: Int(getpid())) == 0)
      #expect(lmdbError { _ = try Self.open(folder.path()) }?.code == .processNumberTaken)
      FileCalls.close(descriptor)
      #expect(try Self.rows(try Self.open(folder.path())) == ["a=0"])
    }

    @Test func aReplayWaitsForAReaderWithoutALockTable() throws {
      let cut = try Cut()
      let file = try DataFile(openingAt: cut.image, Self.options(.full))
      #expect(try file.lock(isShared: true, before: Deadline(after: .zero)))
      #expect(lmdbError { _ = try Self.open(cut.image) }?.code == .busy)
      file.unlock()
      #expect(try Self.rows(try Self.open(cut.image)).count == 4)
    }

    /// Others had read that a killed writer's commit is not there, and it came back when they were gone.
    @Test func aCommitThatAProcessSawMissingDoesNotComeBack() throws {
      let cut = try Cut()
      let file = try DataFile(openingAt: cut.image, Self.options())
      let journalFile = try #require(try JournalFile(openingFor: file, isReadOnly: false))
      let recovery = JournalRecovery(
        file: file, journalFile: journalFile, options: Self.options())
      // The image has the second commit and the records of all five: as if the third's writer had died.
      try recovery.eraseRecordOfDeadWriter()
      #expect(try Self.rows(try Self.open(cut.image)) == ["a=1", "b=2"])
    }

    /// The map of the replaying process has no room for what the journal holds.
    @Test func aReplayEnlargesTheMap() throws {
      let folder = TemporaryFolder()
      let small = Environment.Options.forTests {
        $0.durability = .journal
        $0.mapSizeBytes = 1 << 20
      }
      let environment = try Environment.open(at: folder.path(), options: small)
      let image = folder.path("image")
      let value = String(repeating: "v", count: 20_000)
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        for step in 0..<30 { try transaction.put(value, at: "first \(step)", in: database) }
      }
      // The journal has room for some fifty of these.
      for step in 0..<40 {
        try Self.put(value, at: "\(step)", in: environment)
        if step == 0 { try Self.copy(folder.path(), to: image) }
      }
      #expect(environment.mapSizeBytes > small.mapSizeBytes)
      try Self.copy(folder.path() + "-journal", to: image + "-journal")
      let opened = try Environment.open(at: image, options: small)
      #expect(try Self.rows(opened) == Self.rows(environment))
    }

    @Test func aCopyHasNoJournal() throws {
      let folder = TemporaryFolder()
      let environment = try Self.open(folder.path())
      for step in 0..<4 { try Self.put("\(step)", at: "a", in: environment) }
      for isCompacting in [false, true] {
        let copy = folder.path("copy \(isCompacting)")
        try environment.copy(to: copy, isCompacting: isCompacting)
        #expect(try Self.session(of: copy) == nil)
        #expect(
          try Self.rows(try Environment.open(at: copy, options: Self.options(.full))) == ["a=3"])
      }
    }

    @Test func aFileThatWasNotClosedIsReplayedBeforeItIsCompacted() throws {
      let cut = try Cut()
      try Environment.compact(at: cut.image, options: Self.options())
      #expect(try Self.rows(try Self.open(cut.image)) == ["a=1", "b=3", "c=4", "d=5"])
    }

    @Test func aBytewiseCopyTakesTheJournalAlong() throws {
      let cut = try Cut()
      let copy = cut.folder.path("copy")
      try Environment.copyFile(at: cut.image, to: copy)
      #expect(try Self.rows(try Self.open(copy)) == ["a=1", "b=3", "c=4", "d=5"])
    }

    #if DEBUG
      /// A sync that fails as the session is closed left a file that called itself complete.
      @Test func aSessionThatCannotBeClosedStaysOpen() throws {
        let cut = try Cut()
        let file = try DataFile(openingAt: cut.image, Self.options())
        let session = try #require(try file.journalMarker?.session)
        var failures = 0
        for call in 1...3 {
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          let error = lmdbError {
            try FaultPlan.$current.withValue(plan) { try file.closeJournalSession(session) }
          }
          guard error != nil else { break }
          failures += 1
          #expect(try file.journalMarker?.session == session)
        }
        #expect(failures == 2)
      }

      @Test(arguments: [LMDBError.Code.outOfSpace, .inputOutput, .noPermission])
      func anyFailingCallOfAReplayLeavesAllToTheNextOpening(_ code: LMDBError.Code) throws {
        let cut = try Cut()
        var failures = 0
        for call in 1... {
          let folder = TemporaryFolder()
          try Self.copy(cut.image, to: folder.path())
          try Self.copy(cut.journal, to: folder.path() + "-journal")
          let plan = FaultPlan(failingCall: call, with: code)
          let error = lmdbError {
            try FaultPlan.$current.withValue(plan) { _ = try Self.open(folder.path()) }
          }
          failures += error == nil ? 0 : 1
          #expect(
            try Self.rows(try Self.open(folder.path())) == ["a=1", "b=3", "c=4", "d=5"],
            "call \(call) of \(plan.failedFunction ?? "none")")
          guard plan.hasFailedCall else { break }
        }
        #expect(failures > 20)
      }

      /// A commit that fails is not there, and one that was acknowledged is, whichever call fails between.
      @Test(arguments: [LMDBError.Code.outOfSpace, .inputOutput])
      func anyFailingCallOfACommitLosesNothing(_ code: LMDBError.Code) throws {
        var failures = 0
        for call in 1... {
          let folder = TemporaryFolder()
          let image = folder.path("image")
          let plan = FaultPlan(failingCall: call, with: code)
          var expected: Set<[String]> = []
          do {
            let environment = try Self.open(folder.path())
            for value in ["1", "2", "3"] { try Self.put(value, at: "a", in: environment) }
            environment.core.rest()
            try Self.copy(folder.path(), to: image)
            var last = ["a=3"]
            expected = [last]
            let large = String(repeating: "x", count: 300_000)
            for (key, value) in [("b", "1"), ("c", large), ("d", "2")] {
              let error = lmdbError {
                try FaultPlan.$current.withValue(plan) {
                  try Self.put(value, at: key, in: environment)
                }
              }
              let next = last + ["\(key)=\(value)"]
              // A failed commit may come back only where the error says so.
              if error == nil { expected = [next] }
              if error?.detail.contains("unknown") == true { expected.insert(next) }
              if error == nil { last = next } else { break }
            }
            failures += plan.hasFailedCall ? 1 : 0
            let found = try Self.rows(environment)
            #expect(expected.contains(found), "call \(call) of \(plan.failedFunction ?? "none")")
            // A power cut, after a commit whose pages were synced or not.
            try Self.copy(folder.path(), to: image)
            try Self.copy(folder.path() + "-journal", to: image + "-journal")
          }
          for path in [folder.path(), image] {
            let found = try Self.rows(try Self.open(path))
            #expect(
              expected.contains(found),
              "call \(call) of \(plan.failedFunction ?? "none"), \(path == image)")
          }
          guard plan.hasFailedCall else { break }
        }
        #expect(failures > 20)
      }
    #endif

    @Test func aJournalThatIsRemovedWhileItIsUsedEndsTheWriting() throws {
      let folder = TemporaryFolder()
      let environment = try Self.open(folder.path())
      for step in 0..<3 { try Self.put("\(step)", at: "a", in: environment) }
      try FileManager.default.removeItem(atPath: folder.path() + "-journal")
      let error = lmdbError { try Self.put("3", at: "a", in: environment) }
      #expect(error?.code == .fileReplaced)
    }
  }
#endif
