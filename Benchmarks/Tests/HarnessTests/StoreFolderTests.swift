import Foundation
import Harness
import Testing

@Suite struct StoreFolderTests {
  @Test func aCopyHoldsTheDataWithoutLockFiles() throws {
    try withDirectory { directory in
      let original = StoreFolder("original", in: directory)
      try original.create()
      for name in ["store", "store-wal", "store-lock", "store-shm"] {
        let path = directory + "/original/" + name
        try Data(repeating: 7, count: 1_000).write(to: URL(fileURLWithPath: path))
      }
      #expect(try original.dataBytes() == 2_000)

      let copy = StoreFolder("copy", in: directory)
      try copy.copy(from: original)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory + "/copy")
      #expect(names.sorted() == ["store", "store-wal"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy.storePath)).count == 1_000)
    }
  }

  @Test func creatingAgainEmptiesTheFolder() throws {
    try withDirectory { directory in
      let folder = StoreFolder("store", in: directory)
      try folder.create()
      try Data([1]).write(to: URL(fileURLWithPath: folder.storePath))
      try folder.create()
      #expect(try folder.dataBytes() == 0)
    }
  }

  @Test func removingWhatIsNotThereIsHarmless() throws {
    try withDirectory { directory in
      try StoreFolder("nothing", in: directory).remove()
    }
  }

  /// An interrupted parent removes its directory while a child may still be at work in it.
  @Test func theDirectoryAboveIsNeverMadeAgain() throws {
    try withDirectory { directory in
      let folder = StoreFolder("store", in: directory + "/gone")
      #expect(throws: (any Error).self) { try folder.create() }
    }
  }

  private func withDirectory(_ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url.path)
  }
}
