import CroftLibc
import Foundation
import TestSupport
import Testing

@testable import LMDB

#if os(Linux)
  /// Files that get a journal, and those that cannot have one.
  @Suite struct JournalCreationTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path() }

    private func put(_ value: String, _ environment: Environment) throws {
      try JournalTests.put(value, at: "a", in: environment)
    }

    /// It was made longer, and its bytes were overwritten with a checkpoint and with records.
    @Test(arguments: [false, true])
    func aFileOfAnotherProgramIsLeftAlone(hasMarker: Bool) throws {
      if hasMarker { try put("0", try JournalTests.open(path)) }
      for text in ["a text of somebody else's\n", String(repeating: "text ", count: 4_000)] {
        try Data(text.utf8).write(to: URL(filePath: path + "-journal"))
        let error = lmdbError { _ = try JournalTests.open(path) }
        #expect(error?.code == .notAJournal)
        #expect(error?.detail.contains("another program's") == true)
        #expect(try Data(contentsOf: URL(filePath: path + "-journal")) == Data(text.utf8))
      }
      try FileManager.default.removeItem(atPath: path + "-journal")
      let environment = try JournalTests.open(path)
      for step in 0..<3 { try put("\(step)", environment) }
      #expect(environment.core.journal?.hasPin == true)
    }

    /// Damage is not taken for a journal that is missing.
    @Test func damageIsSaidToBeThatAlsoWhereThereIsNoRecord() throws {
      let live = folder.path("live")
      let environment = try JournalTests.open(live)
      for step in 0..<3 { try put("\(step)", environment) }
      #expect(environment.core.rest())
      for suffix in ["", "-journal"] {
        try JournalTests.copy(live + suffix, to: path + suffix)
      }
      var bytes = try Data(contentsOf: URL(filePath: path))
      for offset in 8_192..<bytes.count { bytes[offset] = 0x5A }
      try bytes.write(to: URL(filePath: path))
      #expect(lmdbError { _ = try JournalTests.open(path) }?.code == .corrupted)
    }

    #if DEBUG
      /// A full disk, or a folder that may not be written to, made an existing file impossible to open.
      @Test(arguments: [LMDBError.Code.outOfSpace, .noPermission])
      func whereNoJournalCanBeMadeAFileIsUsedWithoutOne(_ code: LMDBError.Code) throws {
        do { try put("0", try Environment.open(at: path, options: JournalTests.options(.full))) }
        let bytes = try Data(contentsOf: URL(filePath: path))
        var withoutJournal = 0
        for call in 1... {
          let copy = folder.path("copy \(call)")
          try bytes.write(to: URL(filePath: copy))
          let plan = FaultPlan(failingCall: call, with: code)
          var opened: Environment?
          let error = lmdbError {
            opened = try FaultPlan.$current.withValue(plan) { try JournalTests.open(copy) }
          }
          guard plan.hasFailedCall else { break }
          guard let environment = opened else {
            // A lock that may not be taken is one of a process of the same number.
            let isLock = error?.code == .processNumberTaken
            #expect(error?.code == code || isLock, "\(plan.failedFunction ?? "")")
            continue
          }
          withoutJournal += environment.core.journal == nil ? 1 : 0
          for step in 0..<3 { try put("\(step)", environment) }
          #expect(try JournalTests.rows(environment) == ["a=2"])
        }
        #expect(withoutJournal > 0)
      }

      /// The second commit failed, and so did all later ones, where the disk had no room for records.
      @Test func whereThereIsNoRoomForRecordsCommitsAreLMDBsOwn() throws {
        var commits = 0
        for call in 1... {
          let file = folder.path("file \(call)")
          let environment = try JournalTests.open(file)
          try put("0", environment)
          let plan = FaultPlan(failingCall: call, with: .outOfSpace)
          let error = lmdbError {
            try FaultPlan.$current.withValue(plan) { try put("1", environment) }
          }
          guard plan.hasFailedCall else { break }
          let isInSession = try JournalTests.session(of: file) != JournalMarker.Session.none
          if error == nil, !isInSession {
            commits += 1
            let journal = try #require(environment.core.journal).journalFile
            #expect(try journal.bytes.count == JournalFile.leastBytes)
          }
          // Pages are kept by a session alone; where it is unknown whether there is one, nothing is committed.
          if error != nil, !isInSession, environment.core.journal?.isUnusable == false {
            #expect(environment.core.rest())
            #expect(environment.core.journal?.hasPin == false, "\(plan.failedFunction ?? "")")
            try put("2", environment)
          }
        }
        #expect(commits > 0)
      }

      /// Its meta page was left to the system, for half a minute.
      @Test func aRelaxedCommitOutsideASessionIsSynced() throws {
        var synced = 0
        for call in 1...200 where synced == 0 {
          let environment = try Environment.open(
            at: folder.path("file \(call)"), options: JournalTests.options(.relaxed))
          let plan = FaultPlan(failingCall: call, with: .inputOutput)
          let error = lmdbError {
            try FaultPlan.$current.withValue(plan) { try put("0", environment) }
          }
          if plan.failedFunction == "synchronize()" {
            synced += 1
            #expect(error == nil)
          }
        }
        #expect(synced == 1)
      }
    #endif
  }
#endif
