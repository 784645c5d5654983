import Foundation
@testable import LMDB
import Testing
import TestSupport

@Suite struct TemporaryFileTests {
  private let folder = TemporaryFolder()
  private var destination: String { folder.path(to: "copy.mdb") }

  private func make(_ names: [String]) throws {
    for name in names { try Data([1]).write(to: URL(filePath: folder.path(to: name))) }
  }

  /// A process that was killed while it wrote a file left a part of it beside the file for ever.
  @Test func whatAKilledProcessLeftIsRemovedByTheNextFileOfThatName() throws {
    let others = [
      "copy.mdb.draft", "copy.mdb.draft-", "copy.mdb.draft-123456789", "copy.mdb.draft-xyz",
      "copy.mdb.draft-1-lock", "my copy.mdb.draft-1", "other.mdb.draft-1",
    ]
    try make(["copy.mdb.draft-1", "copy.mdb.draft-89abcdef", "kept"] + others)
    let link = folder.path(to: "copy.mdb.draft-2")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "kept")
    try FileManager.default.createDirectory(
      atPath: folder.path(to: "copy.mdb.draft-3"), withIntermediateDirectories: false)
    let file = try TemporaryFile(of: destination, mode: 0o600)
    try file.write([1, 2, 3])
    try file.publish(replacesExisting: false)
    withExtendedLifetime(file) {}
    let left = try Set(folder.files).subtracting(others)
    #expect(
      left.subtracting([URL(filePath: file.path).lastPathComponent])
        == ["copy.mdb", "copy.mdb.draft-2", "copy.mdb.draft-3", "kept"])
  }

  @Test func aFileThatIsBeingWrittenStays() throws {
    let first = try TemporaryFile(of: destination, mode: 0o600)
    let second = try TemporaryFile(of: destination, mode: 0o600)
    try first.write([1])
    try second.write([2])
    #expect(try folder.files.count == 2)
    try first.publish(replacesExisting: true)
    try second.publish(replacesExisting: true)
    #expect(try Data(contentsOf: URL(filePath: destination)) == Data([2]))
    #expect(try folder.files == ["copy.mdb"])
  }

  /// The next writer of the file locks it: the lock of its making must not last.
  @Test(arguments: [false, true]) func aPublishedFileIsNotLocked(replacesExisting: Bool) throws {
    let file = try TemporaryFile(of: destination, mode: 0o600)
    try file.publish(replacesExisting: replacesExisting)
    let (descriptor, code) = FileCalls.open(destination, 0)
    #expect(code == 0 && FileCalls.lock(descriptor, isShared: false) == 0)
    FileCalls.close(descriptor)
    withExtendedLifetime(file) {}
  }
}
