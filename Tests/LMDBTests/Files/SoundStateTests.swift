#if os(Linux)
  import Foundation
  import Glibc
  import Synchronization
  import Testing
  import TestSupport

  @testable import LMDB

  /// Pages are checked before the first write, unless another process left the file as it is.
  @Suite struct SoundStateTests {
    let folder = TemporaryFolder()

    /// Writes a row into one of two trees.
    private func write(_ environment: Environment, _ tree: String = "b") throws {
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: tree)
        try transaction.put("value", at: "key \(tree)", in: database)
      }
    }

    /// Makes a file of two trees, and closes it.
    private func makeFile(hasLongValue: Bool = false) throws {
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "a")
        for row in 0..<200 { try transaction.put("needle", at: "key \(row)", in: database) }
        guard hasLongValue else { return }
        try transaction.put(String(repeating: "v", count: 5_000), at: "a", in: database)
      }
      try write(environment)
    }

    /// Makes a file with a damaged leaf in the tree "a", and opens it.
    private func damaged(
      hasLongValue: Bool = false, _ durability: Environment.Durability = .unsafe
    ) throws -> (Environment, a: Database) {
      try makeFile(hasLongValue: hasLongValue)
      try damage()
      let environment = try Environment.open(
        at: folder.path(), options: .forTests { $0.durability = durability })
      return (environment, try environment.read { try #require(try $0.database(named: "a")) })
    }

    /// Makes the last leaf of the tree "a" unreadable; the C library would end the process there.
    private func damage() throws {
      let file = try FileHandle(forUpdating: URL(filePath: folder.path()))
      defer { _ = try? file.close() }  // A test's own descriptor.
      let bytes = try file.readToEnd() ?? Data()
      let pages = Array(stride(from: 2 * 4096, to: bytes.count, by: 4096))
      let last = pages.last { start in
        let page = bytes[start..<start + 4096]
        // Its flags say that it is a leaf, and its table of rows has more than those of the other tree.
        return page[start + 10] == 2 && page[start + 12] > 16 + 2 * 10
          && page.range(of: Data("needle".utf8)) != nil
      }
      let page = try #require(last)
      try file.seek(toOffset: UInt64(page + 12))
      try file.write(contentsOf: Data([0xFF, 0xFF, 0xFF, 0xFF]))
    }

    private func status() throws -> stat {
      var status = stat()
      try #require(stat(folder.path(), &status) == 0)
      return status
    }

    /// Sets the times back that a change has set, as no program does by itself.
    private func restoreTimes(_ status: stat) throws {
      let times = [status.st_atim, status.st_mtim]
      try #require(utimensat(AT_FDCWD, folder.path(), times, 0) == 0)
    }

    private var record: [String] {
      get throws {
        let descriptor = open(folder.path(), O_RDONLY)
        defer { close(descriptor) }
        return try #require(FileCalls.attribute(SoundState.attribute, of: descriptor))
          .split(separator: " ").map(String.init)
      }
    }

    /// Changes a word of the record.
    private func setRecord(_ index: Int, _ word: String) throws {
      var words = try record
      words[index] = word
      let descriptor = open(folder.path(), O_RDWR)
      defer { close(descriptor) }
      FileCalls.setAttribute(SoundState.attribute, to: words.joined(separator: " "), of: descriptor)
    }

    /// Whether a new environment finds the damage when it begins to write.
    private func isFound() throws -> Bool {
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      return lmdbError { try write(environment) }?.code == .corrupted
    }

    @Test func whatAnotherProcessHasCheckedIsNotCheckedAgain() throws {
      try makeFile()
      try setRecord(7, "1")
      let before = try status()
      try damage()
      try restoreTimes(before)
      #expect(try !isFound())
      // That write was by this process, whose record does not count for itself.
      #expect(try isFound())
    }

    @Test func aFileThatWasWrittenToIsChecked() throws {
      try makeFile()
      try setRecord(7, "1")
      try damage()
      #expect(try isFound())
    }

    /// The start of the system, the last commit, device, inode, size, seconds, nanoseconds and process.
    @Test(arguments: 0..<8) func aRecordOfAnotherStateDoesNotCount(index: Int) throws {
      try makeFile()
      try setRecord(7, "1")
      try setRecord(index, index == 7 ? String(getpid()) : "12345")
      let before = try status()
      try damage()
      try restoreTimes(before)
      #expect(try isFound())
    }

    @Test(arguments: ["", "x", "1 2 3 4 5 6 7 8", "a b c d e f g h i"])
    func aRecordThatIsNoneDoesNotCount(text: String) throws {
      try makeFile()
      let descriptor = open(folder.path(), O_RDWR)
      FileCalls.setAttribute(SoundState.attribute, to: text, of: descriptor)
      close(descriptor)
      let before = try status()
      try damage()
      try restoreTimes(before)
      #expect(try isFound())
    }

    /// A clock that was set back leaves times of which nothing is known.
    @Test func aCommitOfALaterTimeDoesNotCount() throws {
      try makeFile()
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try write(environment)
      let before = try status()
      try damage()
      try restoreTimes(before)
      environment.core.soundCommit.withLock {
        $0 = $0.map { SoundCommit($0.version, at: Deadline.systemTime + .seconds(1_000)) }
      }
      #expect(lmdbError { try write(environment) }?.code == .corrupted)
    }

    /// The next write reached the leaves of the tree that was there again, and the process ended.
    @Test func aFailedCommitOfAnEmptiedTreeLeavesItToBeChecked() throws {
      var failedCommits = 0
      for call in 1...200 {
        let other = SoundStateTests()
        try other.makeFile()
        try other.damage()
        let environment = try Environment.open(at: other.folder.path(), options: .forTests())
        let tree = try environment.read { try #require(try $0.database(named: "a")) }
        let plan = FaultPlan(failingCall: call, with: .outOfSpace)
        let error = FaultPlan.$current.withValue(plan) {
          lmdbError { try environment.write { try $0.empty(tree) } }
        }
        guard plan.hasFailedCall else { break }
        if error == nil { continue }
        failedCommits += plan.failedFunction == "commit()" ? 1 : 0
        let next = lmdbError {
          try environment.write { _ = try $0.delete("key 99".bytes.span.bytes, in: tree) }
        }
        #expect(next?.code == .corrupted, "\(plan.failedFunction ?? "")")
      }
      #expect(failedCommits > 0)
    }

    /// Makes the last commit one of long ago, and says whether the file was modified before it.
    private func setPause(of environment: Environment, modifiedBefore: Bool) throws {
      let time = Deadline.systemTime - .seconds(1_000)
      environment.core.soundCommit.withLock {
        $0 = $0.map { SoundCommit($0.version, at: time) }
      }
      var before = try status()
      before.st_mtim.tv_sec -= modifiedBefore ? 2_000 : 0
      try restoreTimes(before)
    }

    /// A program that writes into the file of an open environment was not noticed.
    @Test func whatIsWrittenBetweenTwoCommitsIsChecked() throws {
      try makeFile()
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try write(environment)
      try write(environment)
      try damage()
      try setPause(of: environment, modifiedBefore: true)
      try write(environment)
      try setPause(of: environment, modifiedBefore: false)
      #expect(lmdbError { try write(environment) }?.code == .corrupted)
      #expect(lmdbError { try write(environment) }?.code == .corrupted)
    }

    /// A commit, an end without one and a file that grows leave the pages sound.
    @Test func whatTheProcessItselfWritesIsNotChecked() throws {
      try makeFile()
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try write(environment)
      struct Stop: Error {}
      for _ in 0..<3 {
        #expect(throws: Stop.self) {
          try environment.write { transaction throws in
            let database = try transaction.openDatabase(named: "b")
            for row in 0..<2_000 {
              try transaction.put(String(repeating: "v", count: 3_000), at: "k\(row)", in: database)
            }
            throw Stop()
          }
        }
        try environment.write { transaction in
          let database = try transaction.openDatabase(named: "b")
          for row in 0..<2_000 {
            try transaction.put(String(repeating: "v", count: 3_000), at: "k\(row)", in: database)
          }
        }
      }
      let before = try status()
      try damage()
      try restoreTimes(before)
      // Were they checked, this would be found.
      try write(environment)
    }

    /// Emptying a tree reads its branches alone, so that it ends the damage.
    @Test func aTreeThatIsEmptiedFirstIsNotRead() throws {
      let (environment, tree) = try damaged()
      try environment.write { transaction in
        #expect(try transaction.count(of: tree) == 200)
        try transaction.empty(tree)
        try transaction.put("value", at: "new", in: tree)
      }
      try write(environment)
      #expect(try environment.read { try $0.keys(of: tree) } == ["new"])
      #expect(try environment.read { $0.checkPages(keeping: 1).problems } == [])
    }

    /// Long values are freed with the tree, so that its leaves are read.
    @Test func aTreeOfLongValuesIsReadBeforeItIsEmptied() throws {
      let (environment, tree) = try damaged(hasLongValue: true)
      #expect(lmdbError { try environment.write { try $0.empty(tree) } }?.code == .corrupted)
    }

    /// A replay reads all leaves, and would stop at those of a tree that was emptied.
    @Test func inASessionOfTheJournalATreeIsReadBeforeTheCommit() throws {
      try makeFile(hasLongValue: false)
      let live = folder.path("live")
      try JournalTests.copy(folder.path(), to: live)
      let other = try JournalTests.open(live)
      for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: other) }
      for suffix in ["", "-journal"] {
        try JournalTests.copy(live + suffix, to: folder.path() + suffix)
      }
      // The session continues: another process has it.
      let file = try DataFile(openingAt: folder.path(), JournalTests.options())
      let user = try #require(try JournalFile(openingFor: file, isReadOnly: false))
      #expect(try user.use(isWriting: true))
      try damage()
      let environment = try JournalTests.open(folder.path())
      let tree = try environment.read { try #require(try $0.database(named: "a")) }
      #expect(lmdbError { try environment.write { try $0.empty(tree) } }?.code == .corrupted)
    }

    /// A process that commits once does so in LMDB's way, and nothing is replayed.
    @Test func beforeASessionATreeIsEmptiedUnread() throws {
      let (environment, tree) = try damaged(.journal)
      try environment.write { try $0.empty(tree) }
      for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: environment) }
      #expect(environment.core.journal?.hasPin == true)
      #expect(try environment.read { $0.checkPages(keeping: 1).problems } == [])
    }

    @Test func nothingIsCommittedWhileAnotherTreeIsDamaged() throws {
      let (environment, tree) = try damaged()
      let other = try environment.read { try #require(try $0.database(named: "b")) }
      for _ in 0..<2 {
        #expect(lmdbError { try environment.write { try $0.empty(other) } }?.code == .corrupted)
        #expect(try environment.read { try $0.count(of: other) } == 1)
      }
      // The error of a use is one of the commit too.
      let error = lmdbError {
        try environment.write { transaction in
          let use = lmdbError { try transaction.put("value", at: "new", in: tree) }
          #expect(use?.code == .corrupted)
          try transaction.put("value", at: "new", in: other)
        }
      }
      #expect(error?.code == .corrupted)
    }

    /// A tree that a nested transaction emptied is there again when that one ends without a commit.
    @Test func aTreeThatIsEmptiedInVainIsRead() throws {
      let (environment, tree) = try damaged()
      struct Stop: Error {}
      func emptyInVain(_ transaction: inout WriteTransaction) {
        #expect(throws: Stop.self) {
          try transaction.nested { inner in
            try inner.empty(tree)
            throw Stop()
          }
        }
      }
      #expect(lmdbError { try environment.write { emptyInVain(&$0) } }?.code == .corrupted)
      let error = lmdbError {
        try environment.write { transaction in
          emptyInVain(&transaction)
          try transaction.put("value", at: "new", in: tree)
        }
      }
      #expect(error?.code == .corrupted && error?.operation == .put)
      try environment.write { transaction in
        emptyInVain(&transaction)
        try transaction.nested { try $0.empty(tree) }
      }
      #expect(try environment.read { try $0.count(of: tree) } == 0)
    }

    /// A file that another program has written to is checked, also where the trees are open.
    @Test func aTreeThatIsOpenIsCheckedAgain() throws {
      try makeFile()
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try write(environment)
      let tree = try environment.read { try #require(try $0.database(named: "a")) }
      try environment.write { _ = try $0.delete("key 99".bytes.span.bytes, in: tree) }
      try damage()
      try setPause(of: environment, modifiedBefore: false)
      #expect(
        lmdbError {
          try environment.write { _ = try $0.delete("key 2".bytes.span.bytes, in: tree) }
        }?.code == .corrupted)
      try environment.write { try $0.empty(tree) }
      try write(environment)
    }

    /// The check of a transaction that is undone counts like that of one that is committed.
    @Test func whatATransactionWithoutACommitHasCheckedIsNotCheckedAgain() throws {
      try makeFile()
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      struct Stop: Error {}
      #expect(throws: Stop.self) { try environment.write { _ in throw Stop() } }
      let before = try status()
      try damage()
      try restoreTimes(before)
      // Were they checked, this would be found.
      try write(environment)
    }

    @Test func theStateIsRecordedAtTheEnd() throws {
      try makeFile()
      let status = try status()
      let record = try record
      #expect(record[3] == String(status.st_ino) && record[4] == String(status.st_size))
      #expect(record[5] == String(status.st_mtim.tv_sec))
      #expect(record[6] == String(status.st_mtim.tv_nsec))
      #expect(record[7] == String(getpid()))
    }
  }
#endif
