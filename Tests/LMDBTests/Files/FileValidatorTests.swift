import Dispatch
import Foundation
import Synchronization
import Testing
import TestSupport

@testable import LMDB

@Suite struct FileValidatorTests {
  let folder = TemporaryFolder()

  /// The code with which a file of some bytes is refused; the file must be left alone, and be
  /// alone.
  private func refusal(of bytes: Data, _ name: String = "data.mdb") throws -> LMDBError.Code? {
    try bytes.write(to: URL(filePath: folder.path(name)))
    let error = lmdbError {
      _ = try Environment.open(at: folder.path(name), options: .forTests())
    }
    #expect(try Data(contentsOf: URL(filePath: folder.path(name))) == bytes)
    #expect(try folder.files == [name])
    return error?.code
  }

  /// The bytes of a good file, made in a folder of its own.
  private func goodFile(rows: Int = 100) throws -> Data {
    let folder = TemporaryFolder()
    do {
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        for row in 0..<rows {
          try transaction.put(
            String(repeating: "v", count: row % 7 == 0 ? 5_000 : 50), at: "key \(row)", in: database
          )
        }
      }
    }
    return try Data(contentsOf: URL(filePath: folder.path()))
  }

  // While others wrote, one in some openings said that the file ends before its contents do: its
  // size was read, then it grew, then the pages that knew of it. Found by killing one of three
  // processes again and again.
  @Test func aFileThatGrowsMeanwhileIsNoTruncatedOne() throws {
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    let isDone = Atomic(false)
    let queue = DispatchQueue(label: "writer")
    let value = String(repeating: "v", count: 3_000)
    queue.async {
      do {
        var row = 0
        while !isDone.load(ordering: .relaxed), row < 12_000 {
          try environment.write { transaction in
            let database = try transaction.openDatabase(named: "d")
            try transaction.put(value, at: "key \(row)", in: database)
          }
          row += 1
        }
      } catch {
        Issue.record(error)
      }
    }
    defer {
      isDone.store(true, ordering: .relaxed)
      queue.sync {}
    }
    for _ in 0..<3_000 {
      try FileValidator.check(
        DataFile(openingAt: folder.path(), .forTests()), isReadOnly: false, within: .seconds(10))
    }
  }

  @Test(arguments: ["hostname\n", String(repeating: "a line of text\n", count: 2_000)])
  func aForeignFileIsRefused(_ text: String) throws {
    #expect(try refusal(of: Data(text.utf8)) == .notAnEnvironment)
  }

  @Test func aFileOfZerosIsRefused() throws {
    #expect(try refusal(of: Data(count: 100_000)) == .notAnEnvironment)
  }

  /// It was taken for a file of another program.
  @Test(arguments: [0, 1]) func aFileWithOneGoodFrontPageIsDamaged(page: Int) throws {
    var file = try goodFile()
    file.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    #expect(try refusal(of: file) == .corrupted)
  }

  @Test func anEmptyFileIsNew() throws {
    try Data().write(to: URL(filePath: folder.path()))
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    #expect(try environment.read { try $0.isEmpty() })
  }

  @Test func anEmptyFileCannotBeReadOnly() throws {
    try Data().write(to: URL(filePath: folder.path()))
    let error = lmdbError {
      _ = try Environment.open(at: folder.path(), options: .forTests { $0.isReadOnly = true })
    }
    #expect(error?.code == .notAnEnvironment)
    #expect(try folder.files == ["data.mdb"])
  }

  @Test func aZeroPageSizeIsRefused() throws {
    var file = try goodFile()
    file.replace(at: 40, with: UInt32(0))
    #expect(try refusal(of: file) == .corrupted)
  }

  @Test func anOddPageSizeIsRefused() throws {
    var file = try goodFile()
    file.replace(at: 40, with: UInt32(4_097))
    #expect(try refusal(of: file) == .corrupted)
  }

  @Test func aNewerFormatIsRefused() throws {
    var file = try goodFile()
    file.replace(at: 20, with: UInt32(2))
    #expect(try refusal(of: file) == .versionMismatch)
  }

  @Test func aFileOfAnotherWordSizeIsRefused() throws {
    var file = Data(count: 8_192)
    file.replace(at: 12, with: UInt32(0xBEEF_C0DE))
    #expect(try refusal(of: file) == .otherMachine)
  }

  @Test func aFileOfAnotherByteOrderIsRefused() throws {
    var file = try goodFile()
    file.replace(at: 16, with: UInt32(0xBEEF_C0DE).byteSwapped)
    #expect(try refusal(of: file) == .otherMachine)
  }

  @Test func aDamagedSecondPageIsDamage() throws {
    var file = try goodFile()
    file.replace(at: 4_096 + 16, with: UInt32(0))
    #expect(try refusal(of: file) == .corrupted)
  }

  @Test func aFileCutInItsFirstPageIsTruncated() throws {
    let file = try goodFile()
    for count in [20, 100, 151, 152, 4_095, 4_096, 8_191] {
      #expect(try refusal(of: file.prefix(count), "cut.mdb") == .truncated, "\(count) bytes")
    }
  }

  /// A truncated file that were mapped would end this process with SIGBUS at the first missing page.
  @Test func aFileCutAnywhereIsTruncated() throws {
    let file = try goodFile(rows: 400)
    #expect(file.count > 40 * 4_096)
    for page in 2..<(file.count / 4_096) {
      #expect(try refusal(of: file.prefix(page * 4_096), "cut.mdb") == .truncated, "page \(page)")
    }
  }

  /// Pages that a transaction took and gave back are counted, and never written.
  @Test func aFileMayBeShorterThanItsCountOfPages() throws {
    var file = try goodFile(rows: 400)
    for page in [0, 4_096] {
      let last = file.number(at: page + 136)
      file.replace(at: page + 136, with: last + 10)
    }
    try file.write(to: URL(filePath: folder.path()))
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    try environment.read { transaction in
      let database = try #require(try transaction.database(named: "d"))
      #expect(try transaction.rows(of: database).count == 400)
    }
  }

  /// Looks at a file, all of whose pages are looked for, while another process seems to write: as
  /// long as it can, each look finds a page that was used again, and another number of a commit.
  private func look(_ disturb: (_ look: Int) -> Bool) throws -> (looks: Int, error: LMDBError?) {
    var bytes = try goodFile(rows: 400)
    for page in [0, 4_096] {
      bytes.replace(at: page + 136, with: bytes.number(at: page + 136) + 10)
    }
    try bytes.write(to: URL(filePath: folder.path()))
    var newest = bytes.number(at: 144) > bytes.number(at: 4_096 + 144) ? 0 : 4_096
    let root = Int(bytes.number(at: newest + 128)) * 4_096
    let writing = try FileHandle(forUpdating: URL(filePath: folder.path()))
    func write(_ bytes: Data, at offset: Int) {
      do {
        try writing.seek(toOffset: UInt64(offset))
        try writing.write(contentsOf: bytes)
      } catch {
        Issue.record(error)
      }
    }
    let file = try DataFile(openingAt: folder.path(), .forTests())
    var looks = 0
    let error = lmdbError {
      try FileValidator.check(file, isReadOnly: false, within: .zero) {
        looks += 1
        guard disturb(looks) else {
          return write(bytes[root..<root + 4_096], at: root)
        }
        write(Data(count: 4_096), at: root)
        // The next commit is told of by the other page.
        let next = 4_096 - newest
        bytes.replaceSubrange(next + 16..<next + 144, with: bytes[newest + 16..<newest + 144])
        bytes.replace(at: next + 144, with: bytes.number(at: newest + 144) + 1)
        write(bytes[next..<next + 152], at: next)
        newest = next
      }
    }
    return (looks, error)
  }

  /// Pages were looked at one after another while a writer used them again, and a sound file was
  /// called damaged: "Restore it from a copy".
  @Test(arguments: [0, 1, 2, 100]) func aFileThatChangesMeanwhileIsNotDamaged(times: Int) throws {
    let writer = try WriterLock(DataFile(openingAt: folder.path("data.mdb"), .forTests()))
    var refusals = 0
    let (looks, error) = try look { look in
      guard look <= times else { return false }
      do throws(LMDBError) {
        try writer.acquire(within: .zero)
        writer.release()
        return true
      } catch {
        // The last look keeps writers out.
        #expect(error.code == .busy)
        refusals += 1
        return false
      }
    }
    #expect(error == nil)
    #expect(looks == min(times, FileValidator.attemptsWithoutLock) + 1)
    #expect(refusals == (times > FileValidator.attemptsWithoutLock ? 1 : 0))
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    try environment.read { transaction in
      let database = try #require(try transaction.database(named: "d"))
      #expect(try transaction.rows(of: database).count == 400)
    }
  }

  @Test func aFileThatNeverStaysAsItIsIsBusyInTheEnd() throws {
    let writer = try WriterLock(DataFile(openingAt: folder.path(), .forTests()))
    let (looks, error) = try look { look in
      if look == FileValidator.attemptsWithoutLock {
        let error = lmdbError { try writer.acquire(within: .zero) }
        #expect(error == nil)
      }
      return true
    }
    #expect(error?.code == .busy)
    #expect(looks == FileValidator.attemptsWithoutLock)
    writer.release()
  }

  /// The size was asked for before the meta pages were read, so that a file that grew in between
  /// had lost its end.
  @Test func aFileThatGrowsMeanwhileHasItsEnd() throws {
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    try environment.write { _ = try $0.openDatabase(named: "d") }
    let file = try DataFile(openingAt: folder.path(), .forTests())
    try FileValidator.check(file, isReadOnly: false, within: .zero) {
      do {
        try environment.write { transaction in
          let database = try transaction.openDatabase(named: "d")
          let value = [UInt8](repeating: 1, count: 1 << 20)
          try transaction.put(value.span.bytes, at: "long".bytes.span.bytes, in: database)
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  // Every page that has one child took a frame of the stack, and a file of a few megabytes ended the
  // process that looked at it. Where each page has a hundred times the same child, looking at all of
  // them took for ever.
  @Test(arguments: [(50_000, 1), (90, 100)])
  func pagesInAChainAreDamage(count: Int, children: Int) async throws {
    await #expect(processExitsWith: .success) {
      [path = folder.path() as String, count = count as Int, children = children as Int] in
      do { try Environment.open(at: path, options: .forTests()).write { _ in } }
      let front = try Data(contentsOf: URL(filePath: path))
      let pageBytes = 256
      var file = Data(count: count * pageBytes)
      for (page, original) in [front.prefix(152), front[4_096..<4_248]].enumerated() {
        let start = page * pageBytes
        file.replaceSubrange(start..<start + original.count, with: original)
        file.replace(at: start + 40, with: UInt32(pageBytes))
        file.replace(at: start + 128, with: UInt64(2))
        file.replace(at: start + 136, with: UInt64(1) << 40)
      }
      for page in 2..<count {
        let start = page * pageBytes
        file.replace(at: start, with: UInt64(page))
        file.replace(at: start + 10, with: UInt16(0x01))
        file.replace(at: start + 12, with: UInt16(16 + 2 * children))
        // Each slot names the same node: a page's number, and no key.
        for child in 0..<children { file.replace(at: start + 16 + 2 * child, with: UInt16(240)) }
        file.replace(at: start + 240, with: UInt64(page + 1))
      }
      // The last page is a leaf without rows.
      file.replace(at: (count - 1) * pageBytes + 10, with: UInt16(0x02))
      file.replace(at: (count - 1) * pageBytes + 12, with: UInt16(16))
      try file.write(to: URL(filePath: path))
      for isReadOnly in [false, true] {
        let error = lmdbError {
          _ = try Environment.open(at: path, options: .forTests { $0.isReadOnly = isReadOnly })
        }
        try #require(error?.code == .corrupted)
      }
    }
  }

  @Test func everyFileOfALongHistoryOpensAgain() throws {
    for round in 0..<30 {
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        for row in 0..<300 {
          try transaction.put("\(round)", at: "\(row * round % 311)", in: database)
        }
        try transaction.deleteRange(KeyRange(lower: .inclusive("2".bytes)), in: database)
      }
    }
  }

  #if os(Linux)
    @Test func networkFileSystemsAreKnownByTheirNumbers() {
      #expect(FileSystem(kind: 0x6969).isRemote)
      #expect(!FileSystem(kind: 0xEF53).isRemote)
    }
  #endif
}

extension Data {
  fileprivate mutating func replace<N: FixedWidthInteger>(at offset: Int, with number: N) {
    Swift.withUnsafeBytes(of: number) { replaceSubrange(offset..<offset + $0.count, with: $0) }
  }

  fileprivate func number(at offset: Int) -> UInt64 {
    self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
