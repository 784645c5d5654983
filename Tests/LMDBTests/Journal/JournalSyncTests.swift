import Foundation
import TestSupport
import Testing

@testable import LMDB

#if os(Linux)
  /// What is not on the disk: records that nobody waited for, and what a failed sync leaves unknown.
  @Suite struct JournalSyncTests {
    /// Commits of a file that has a journal, which do not wait for it; the image has all pages.
    private struct RelaxedCut {
      let folder = TemporaryFolder()
      var image: String { folder.path("image") }

      init(rows: Int) throws {
        let live = folder.path("live")
        do { try JournalTests.put("0", at: "a", in: try JournalTests.open(live)) }
        let environment = try Environment.open(at: live, options: JournalTests.options(.relaxed))
        for step in 1...rows { try JournalTests.put("\(step)", at: "a", in: environment) }
        #expect(try JournalTests.session(of: live) != JournalMarker.Session.none)
        try JournalTests.copy(live, to: image)
        try JournalTests.copy(live + "-journal", to: image + "-journal")
      }

      /// Makes the journal what it is on a disk that has so many of its records.
      func keep(records: Int) throws {
        let url = URL(filePath: image + "-journal")
        var journal = try Data(contentsOf: url)
        let end = JournalFile.recordsOffset + records * JournalFile.blockBytes
        journal.replaceSubrange(end..., with: Data(count: journal.count - end))
        try journal.write(to: url)
      }
    }

    /// The data file may be ahead of the journal, of which the last records are not on the disk.
    @Test func relaxedCommitsAreLostFromTheEndAndTheFileIsSound() throws {
      let cut = try RelaxedCut(rows: 9)
      // The first of its commits is made in LMDB's way, and before the second the session begins.
      for records in [8, 5, 0] {
        let folder = TemporaryFolder()
        try JournalTests.copy(cut.image, to: folder.path())
        try JournalTests.copy(cut.image + "-journal", to: folder.path() + "-journal")
        try cut.keep(records: records)
        try JournalTests.copy(cut.image + "-journal", to: folder.path() + "-journal")
        let environment = try JournalTests.open(folder.path())
        #expect(try JournalTests.rows(environment) == ["a=\(records + 1)"])
        try JournalTests.put("new", at: "b", in: environment)
        #expect(try JournalTests.rows(environment).count == 2)
      }
    }

    @Test func aRelaxedProcessTellsASessionThatWaitsForItsRecords() throws {
      let folder = TemporaryFolder()
      do { try JournalTests.put("0", at: "a", in: try JournalTests.open(folder.path())) }
      let environment = try Environment.open(
        at: folder.path(), options: JournalTests.options(.relaxed))
      for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: environment) }
      let journalFile = try #require(environment.core.journal).journalFile
      let relaxed = try #require(try journalFile.front.checkpoint)
      #expect(relaxed.isRelaxed)
      // As a process that waits would have opened the session.
      let page = try environment.core.file.newestMetaPage.bytes
      try journalFile.write(
        try Checkpoint(
          relaxed.session, relaxed.generation + 1, isRelaxed: false, page, of: folder.path()))
      try JournalTests.put("3", at: "a", in: environment)
      let next = try #require(try journalFile.front.checkpoint)
      #expect(next.isRelaxed && next.generation == relaxed.generation + 2)
    }

    /// A program without the journal writes to the file, and to pages of the checkpoint.
    ///
    /// It used to be refused as damaged, with its meta pages undone, so that nothing could recover it.
    @Test func whatAForeignProgramHasWrittenInARelaxedSessionCanBeRecovered() throws {
      let cut = try RelaxedCut(rows: 2)
      // The C library alone, which reuses what no reader keeps.
      let options = JournalTests.options(.full)
      let file = try DataFile(openingAt: cut.image, options)
      let marker = try #require(try file.journalMarker)
      try FileManager.default.moveItem(atPath: cut.image + "-journal", toPath: cut.image + "-aside")
      try file.setJournalMarker(JournalMarker(session: .none))
      do {
        let foreign = try Environment.open(at: cut.image, options: options)
        for step in 0..<20 { try JournalTests.put("foreign \(step)", at: "a", in: foreign) }
      }
      try file.setJournalMarker(marker)
      try FileManager.default.moveItem(atPath: cut.image + "-aside", toPath: cut.image + "-journal")
      let before = try Data(contentsOf: URL(filePath: cut.image))
      #expect(lmdbError { _ = try JournalTests.open(cut.image) }?.code == .journalMissing)
      #expect(try Data(contentsOf: URL(filePath: cut.image)) == before)
      try Environment.recover(at: cut.image, options: options)
      #expect(try JournalTests.rows(try JournalTests.open(cut.image)) == ["a=foreign 19"])
    }

    #if DEBUG
      /// Repeated, it succeeded, and what another process had written was taken for written to the disk.
      @Test func aSyncOfAnotherProcessesCheckpointThatFailsEndsTheSession() throws {
        for call in 1... {
          let folder = TemporaryFolder()
          let environment = try JournalTests.open(folder.path())
          for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: environment) }
          let journalFile = try #require(environment.core.journal).journalFile
          let own = try #require(try journalFile.front.checkpoint)
          let page = try environment.core.file.newestMetaPage.bytes
          try journalFile.write(
            try Checkpoint(
              own.session, own.generation + 1, isRelaxed: false, page, of: folder.path()))
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          let error = lmdbError {
            try FaultPlan.$current.withValue(plan) {
              try JournalTests.put("3", at: "a", in: environment)
            }
          }
          guard plan.failedFunction == "synchronizeData(_:)" else { continue }
          #expect(error != nil)
          #expect(lmdbError { try JournalTests.put("4", at: "a", in: environment) }?.code == .panic)
          #expect(try journalFile.front.failedSession == own.session)
          return
        }
      }

      /// Repeated, it succeeded, and wrote nothing: records in the system's cache alone were replayed.
      @Test func aSyncThatFailsBeforeAReplayIsRepeatedWithTheBytes() throws {
        let cut = try RelaxedCut(rows: 9)
        let past = Date(timeIntervalSince1970: 1)
        for call in 1... {
          let folder = TemporaryFolder()
          for suffix in ["", "-journal"] {
            try JournalTests.copy(cut.image + suffix, to: folder.path() + suffix)
          }
          let files = FileManager.default
          let journal = folder.path() + "-journal"
          try files.setAttributes([.modificationDate: past], ofItemAtPath: journal)
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          let error = lmdbError {
            _ = try FaultPlan.$current.withValue(plan) { try JournalTests.open(folder.path()) }
          }
          guard plan.failedFunction?.hasPrefix("synchronizeData") == true else { continue }
          #expect(error?.code == .inputOutput)
          // Every opening writes the journal once more before that sync.
          let written = try files.attributesOfItem(atPath: journal)[.modificationDate] as? Date
          #expect(written != past)
          #expect(try JournalTests.rows(try JournalTests.open(folder.path())) == ["a=9"])
          return
        }
      }

      /// A reader keeps the file from being replayed, and a writer that came later trusted the pages.
      @Test func aSyncThatFailsAsAFileIsClosedEndsTheSession() throws {
        var failures = 0
        for call in 1... {
          let folder = TemporaryFolder()
          do { try JournalTests.put("0", at: "a", in: try JournalTests.open(folder.path())) }
          let file = try DataFile(openingAt: folder.path(), JournalTests.options())
          let reader = try #require(try JournalFile(openingFor: file, isReadOnly: true))
          #expect(try reader.use(isWriting: false))
          var environment: Environment? = try JournalTests.open(folder.path())
          for step in 0..<3 {
            try JournalTests.put("\(step)", at: "a", in: try #require(environment))
          }
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          FaultPlan.$current.withValue(plan) { environment = nil }
          guard plan.hasFailedCall else { break }
          guard plan.failedFunction?.hasPrefix("synchronize") == true else { continue }
          failures += 1
          let session = try #require(try file.journalMarker?.session)
          #expect(session != .none)
          #expect(try reader.front.failedSession == session)
          let next = try JournalTests.open(folder.path())
          #expect(lmdbError { try JournalTests.put("4", at: "a", in: next) }?.code == .panic)
        }
        #expect(failures == 2)
      }

      /// It is a sync of all pages, and a later one would not write again those of earlier commits.
      @Test func aSyncOfPagesThatFailsInACommitEndsTheSession() throws {
        for call in 1... {
          let folder = TemporaryFolder()
          let environment = try JournalTests.open(folder.path())
          for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: environment) }
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          let large = String(repeating: "x", count: RedoRecord.mostBytes)
          let error = lmdbError {
            try FaultPlan.$current.withValue(plan) {
              try JournalTests.put(large, at: "b", in: environment)
            }
          }
          guard plan.failedFunction == "commit()" else { continue }
          #expect(error?.code == .inputOutput)
          #expect(lmdbError { try JournalTests.put("4", at: "a", in: environment) }?.code == .panic)
          return
        }
      }

      /// The record of a dead writer could come back in the place of one that nobody had waited for.
      ///
      /// One without operations says that the pages of its commit are on the disk, which are another's then.
      @Test func anErasedRecordIsSyncedBeforeOneThatIsNot() throws {
        for call in 1... {
          let folder = TemporaryFolder()
          let environment = try Self.relaxed(in: folder)
          let journalFile = try #require(environment.core.journal).journalFile
          var position = JournalFile.Position(
            after: try #require(try journalFile.front.checkpoint))
          let last = environment.core.handle.lastTransaction
          #expect(try !journalFile.skipRecords(to: last, from: &position))
          _ = try journalFile.write([], of: last + 1, isPartial: true, at: position, waits: false)
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          let error = lmdbError {
            try FaultPlan.$current.withValue(plan) {
              try JournalTests.put("3", at: "a", in: environment)
            }
          }
          try #require(plan.hasFailedCall, "nothing was synced")
          guard plan.failedFunction == "synchronizeData(_:)" else { continue }
          #expect(error?.code == .inputOutput)
          #expect(lmdbError { try JournalTests.put("4", at: "a", in: environment) }?.code == .panic)
          return
        }
      }

      /// An environment that has a journal, and three records that nobody has waited for.
      private static func relaxed(in folder: TemporaryFolder) throws -> Environment {
        do { try JournalTests.put("0", at: "a", in: try JournalTests.open(folder.path())) }
        let environment = try Environment.open(
          at: folder.path(), options: JournalTests.options(.relaxed))
        for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: environment) }
        return environment
      }

      /// A process closed the file while its timer was still waiting for the disk, and said that all was there.
      @Test func whoEndsWaitsForRecordsThatAreBeingSynced() throws {
        let folder = TemporaryFolder()
        let environment = try Self.relaxed(in: folder)
        let journal = try #require(environment.core.journal)
        let other = FaultPlan(failingCall: .max, with: .inputOutput)
        let plan = FaultPlan(beforeCall: 1, of: "synchronizeData(_:)") {
          FaultPlan.$current.withValue(other) { journal.synchronizeRecords() }
        }
        FaultPlan.$current.withValue(plan) { journal.synchronizeRecords() }
        #expect(plan.hasFailedCall)
        #expect(other.callCount > 0)
        // All are on the disk, and nobody waits again.
        let last = FaultPlan(failingCall: 1, with: .inputOutput)
        FaultPlan.$current.withValue(last) { journal.synchronizeRecords() }
        #expect(!last.hasFailedCall)
      }

      /// A record that came while others were being synced may be too late for that sync.
      @Test func aRecordThatComesDuringASyncIsSyncedToo() throws {
        let folder = TemporaryFolder()
        let environment = try Self.relaxed(in: folder)
        let journal = try #require(environment.core.journal)
        let plan = FaultPlan(beforeCall: 1, of: "synchronizeData(_:)") {
          #expect(lmdbError { try JournalTests.put("3", at: "a", in: environment) } == nil)
        }
        FaultPlan.$current.withValue(plan) { journal.synchronizeRecords() }
        let next = FaultPlan(failingCall: .max, with: .inputOutput)
        FaultPlan.$current.withValue(next) { journal.synchronizeRecords() }
        #expect(next.callCount > 0)
      }

      /// The timer of a resting program read the map while a reader moved it.
      @Test(arguments: ["renew()", "begin(isReadOnly:)"])
      func aRestTakesNoPin(call: String) throws {
        let folder = TemporaryFolder()
        let environment = try JournalTests.open(folder.path())
        for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: environment) }
        let generation = { try environment.core.journal?.journalFile.front.checkpoint?.generation }
        let before = try generation()
        let plan = FaultPlan(beforeCall: 1, of: call) {}
        #expect(FaultPlan.$current.withValue(plan) { environment.core.rest() })
        #expect(!plan.hasFailedCall)
        #expect(try generation() != before)
      }

      /// A program that looked at the file, or copied it, kept its last writer from closing the session.
      @Test func theLastWriterWaitsForThoseThatLookAtTheFile() throws {
        let folder = TemporaryFolder()
        var environment: Environment? = try JournalTests.open(folder.path())
        for step in 0..<3 {
          try JournalTests.put("\(step)", at: "a", in: try #require(environment))
        }
        let file = try DataFile(openingAt: folder.path(), JournalTests.options())
        #expect(try file.lock(isShared: true, before: Deadline(after: .zero)))
        let plan = FaultPlan(beforeCall: 3, of: "lock(_:isShared:)") { file.unlock() }
        FaultPlan.$current.withValue(plan) { environment = nil }
        #expect(try file.journalMarker?.isOpen == false)
      }

      /// Records before it may be lost with it, and a process that waits would build on them.
      @Test func aRecordThatCannotBeSyncedEndsASessionWithOthersThatAreNot() throws {
        for call in 1... {
          let folder = TemporaryFolder()
          let environment = try Self.relaxed(in: folder)
          let journal = try #require(environment.core.journal)
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          FaultPlan.$current.withValue(plan) { journal.synchronizeRecords() }
          #expect(plan.hasFailedCall == (call == 1))
          guard plan.hasFailedCall else { break }
          #expect(lmdbError { try JournalTests.put("4", at: "a", in: environment) }?.code == .panic)
        }
      }
    #endif
  }
#endif
