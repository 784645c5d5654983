import Foundation
import Testing

@testable import Croft

/// A store whose file is taken away or replaced while it is open; the engine's tests are `PlaceTests`.
@Suite struct FileReplacedTests {
  /// Writes were acknowledged and went into a file without a name.
  @Test(arguments: ["store.croft", "store.croft-lock"], [false, true])
  func nothingIsAcknowledgedAnyMore(name: String, isReplaced: Bool) throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      var store: Store? = try temporary.open()
      try store?.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      let saved = temporary.folder.appending(path: "saved.croft")
      try store?.backup(to: saved)
      let file = temporary.folder.appending(path: name)
      try FileManager.default.removeItem(at: file)
      if isReplaced { try FileManager.default.copyItem(at: saved, to: file) }
      for _ in 0..<2 {
        let error = StoreError.thrown {
          try store?.write { try $0.insert(Song(id: 10, title: "a")) }
        }
        guard case .fileReplaced = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
        #expect(error?.isRetryable == false)
        #expect(error?.description.contains("then open it again") == true)
      }
      let reading = StoreError.thrown { _ = try store?.count(Song.all) }
      guard case .fileReplaced = reading else {
        Issue.record("another error: \(String(describing: reading))")
        return
      }
      // What only this process can still see can be saved.
      try FileManager.default.removeItem(at: saved)
      try store?.backup(to: saved)
      store = nil
      let copy = try Store.open(at: saved, models: Song.self, options: .forTests)
      #expect(try copy.fetch(Song.all) == Song.numbered(0..<10))
    }
  }

  @Test func anAsynchronousWriteHearsOfIt() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "store.croft")
    let store = try Store.open(at: url, models: Song.self, options: .forTests)
    try await store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
    try FileManager.default.removeItem(at: url)
    await #expect {
      try await store.write { try $0.insert(Song(id: 10, title: "a")) }
    } throws: { error in
      guard case StoreError.fileReplaced = error else { return false }
      return true
    }
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aStoreInMemoryHasNoNameToLose() throws {
    let store = try Store.inMemory(models: Song.self)
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
    #expect(try store.count(Song.all) == 10)
  }
}
