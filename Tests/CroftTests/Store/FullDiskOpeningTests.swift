import Foundation
import Testing

@testable import Croft

/// Opening on a full disk: LMDB maps the lock table, whose first use without room is a SIGBUS.
///
/// Each opening runs in a process of its own, which a signal ends and no other test.
@Suite(
  .enabled(if: SmallDisk.canBeMounted, "Mounting a small file system takes root's rights."))
struct FullDiskOpeningTests {
  private let disk: SmallDisk
  private var url: URL { disk.folder.appending(path: "store.croft") }
  private var lock: URL { disk.folder.appending(path: "store.croft-lock") }

  init() throws { disk = try SmallDisk(bytes: 2 << 20) }

  private func makeRoom() throws {
    try FileManager.default.removeItem(at: disk.folder.appending(path: "filler"))
  }

  /// Opens the store in another process, which must be told that the disk is full.
  private func expectRefusal() async {
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let options = Store.Options.forTests { $0.durability = .full }
      let error = StoreError.thrown {
        let store = try Store.open(at: url, models: Song.self, options: options)
        try store.write { try $0.insert(Song(id: 1_000, title: "a")) }
      }
      try #require(error?.description.contains("the disk is full. Make room") == true)
      guard case .cannotOpen = error else { preconditionFailure("another error: \(error as Any)") }
    }
  }

  private func fill(songs: Int) throws {
    let store = try Store.open(at: url, models: Song.self, options: .forTests)
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<songs)) }
  }

  private func count() throws -> Int {
    try Store.open(at: url, models: Song.self, options: .forTests).count(Song.all)
  }

  @Test func aNewStoreIsRefused() async throws {
    try disk.fill()
    await expectRefusal()
    try makeRoom()
    try fill(songs: 3)
    #expect(try count() == 3)
  }

  @Test func aStoreWithoutALockTableIsRefused() async throws {
    try fill(songs: 100)
    try FileManager.default.removeItem(at: lock)
    try disk.fill()
    await expectRefusal()
    try makeRoom()
    #expect(try count() == 100)
  }

  /// The state that an earlier version left when it crashed there.
  @Test func aStoreWhoseLockTableIsSparseIsRefused() async throws {
    try fill(songs: 100)
    #expect(truncate(lock.path, 0) == 0 && truncate(lock.path, 32_896) == 0)
    try disk.fill()
    await expectRefusal()
    try makeRoom()
    #expect(try count() == 100)
  }

  @Test func aStoreWithALockTableIsOpenedAndRead() async throws {
    try fill(songs: 100)
    try disk.fill()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      try #require(try await store.count(Song.all) == 100)
    }
  }
}
