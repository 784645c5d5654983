import Foundation
import TestSupport
import Testing

@testable import LMDB

#if os(Linux)
  /// Copies byte by byte, which must not have pages of several commits.
  @Suite struct JournalCopyTests {
    /// The data file and the journal were copied at two moments, between which a process could write.
    @Test func aBytewiseCopyIsMadeWhileNobodyWrites() throws {
      let folder = TemporaryFolder()
      let environment = try JournalTests.open(folder.path())
      for step in 0..<3 { try JournalTests.put("\(step)", at: "a", in: environment) }
      let copy = folder.path("copy")
      try environment.write { _ in
        let error = lmdbError {
          try Environment.copyFile(at: folder.path(), to: copy, within: .zero)
        }
        #expect(error?.code == .busy)
        #expect(!FileManager.default.fileExists(atPath: copy))
      }
      try Environment.copyFile(at: folder.path(), to: copy)
      #expect(try JournalTests.rows(try JournalTests.open(copy)) == ["a=2"])
    }

    /// A closed file was copied without the lock: pages of several commits could be in one copy.
    @Test func aClosedFileIsCopiedWhileNobodyWrites() throws {
      let folder = TemporaryFolder()
      let environment = try JournalTests.open(folder.path())
      try JournalTests.put("1", at: "a", in: environment)
      let copy = folder.path("copy")
      try environment.write { _ in
        let error = lmdbError {
          try Environment.copyFile(at: folder.path(), to: copy, within: .zero)
        }
        #expect(error?.code == .busy)
      }
      try Environment.copyFile(at: folder.path(), to: copy)
      #expect(try JournalTests.rows(try JournalTests.open(copy)) == ["a=1"])
    }
  }
#endif
