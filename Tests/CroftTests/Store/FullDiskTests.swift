import Foundation
import Testing

@testable import Croft

/// A disk that is full: an error that says so, and unchanged contents.
///
/// Where no disk can be mounted for it, the tests of failing calls stand for these.
@Suite(
  .enabled(if: SmallDisk.canBeMounted, "Mounting a small file system takes root's rights."))
struct FullDiskTests {
  private let disk: SmallDisk
  private var url: URL { disk.folder.appending(path: "store.croft") }
  private let options = Store.Options.forTests { $0.durability = .full }

  init() throws { disk = try SmallDisk(bytes: 2 << 20) }

  private func open() throws -> Store {
    try Store.open(at: url, models: Song.self, options: options)
  }

  /// The error says that the disk is full, and what to do.
  private func isOfFullDisk(_ error: StoreError?) -> Bool {
    error?.description.contains("the disk is full. Make room") == true
  }

  @Test func aWriteThatFillsTheDiskIsAnErrorAndLeavesTheStoreAsItWas() throws {
    let store = try open()
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
    let text = String(repeating: "x", count: 1_000)
    let error = StoreError.thrown {
      try store.write { tx in
        try tx.insert(contentsOf: (1_000..<5_000).map { Song(id: $0, title: text) })
      }
    }
    #expect(isOfFullDisk(error), "\(String(describing: error))")
    guard case .system(_, ENOSPC) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(try store.fetch(Song.all) == Song.numbered(0..<100))
    #expect(try store.verify().isSound)
    // What fits is written, now and after another opening.
    try store.write { try $0.insert(Song(id: 100, title: "small")) }
    #expect(try store.count(Song.all) == 101)
  }

  @Test func aCopyThatDoesNotFitLeavesNothing() throws {
    let store = try open()
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<2_000)) }
    try disk.fill()
    let copy = disk.folder.appending(path: "copy.croft")
    for isCompacting in [false, true] {
      let error = StoreError.thrown {
        if isCompacting { try store.compact(to: copy) } else { try store.backup(to: copy) }
      }
      guard case .cannotWrite(copy.path, _) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(isOfFullDisk(error))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).sorted()
    #expect(files == ["filler", "store.croft", "store.croft-journal", "store.croft-lock"])
    #expect(try store.count(Song.all) == 2_000)
  }

  @Test func aCompactionThatDoesNotFitLeavesTheFileAsItWas() throws {
    do { try open().write { try $0.insert(contentsOf: Song.numbered(0..<2_000)) } }
    try disk.fill()
    let bytes = try Data(contentsOf: url)
    let error = StoreError.thrown { try Store.compact(at: url, options: options) }
    #expect(isOfFullDisk(error), "\(String(describing: error))")
    #expect(try Data(contentsOf: url) == bytes)
    #expect(try open().fetch(Song.all) == Song.numbered(0..<2_000))
  }

  @Test func aValueThatDoesNotFitLeavesTheJSONFileAsItWas() throws {
    let file = disk.folder.appending(path: "values.json")
    let storage = JSONFileStorage(at: file)
    try storage.trySave("small", forKey: "a")
    let bytes = try Data(contentsOf: file)
    try disk.fill()
    let error = StoreError.thrown {
      try storage.trySave(String(repeating: "x", count: 100_000), forKey: "b")
    }
    #expect(isOfFullDisk(error), "\(String(describing: error))")
    #expect(try Data(contentsOf: file) == bytes)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).sorted()
        == ["filler", "values.json"])
  }
}
