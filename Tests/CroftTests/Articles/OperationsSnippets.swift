import Croft
import Foundation
import Synchronization
import Testing

/// The code of the article about operations.
@Suite struct OperationsSnippets {
  @Model struct Note {
    @PrimaryKey var id: Int
    var isDone = false
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try await body(folder)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aSoundStoreHasNothingThatRebuildingIndexesWouldMend() throws {
    let store = try Store.inMemory(models: Note.self)

    let verification = try store.verify()
    if verification.isMendedByRebuildingIndexes { try store.rebuildIndexes() }

    #expect(verification.isSound && !verification.isMendedByRebuildingIndexes)
  }

  @Test func whatAStoreDoesIsMeasured() throws {
    let store = try Store.inMemory(models: Note.self)
    let lines = Mutex<[String]>([])
    let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }

    store.measure(slowQueriesFrom: .milliseconds(20)) { event in
      switch event {
      case .slowQuery(let plan, let duration): log("slow, \(duration): \(plan)")
      case .writeBegan(let waited): if waited > .seconds(1) { log("a write waited \(waited)") }
      case .committed: break
      }
    }

    try store.write { try $0.insert(Note(id: 1)) }
    // With what the program does with a row.
    let clock = ContinuousClock()
    try store.forEachRow(Note.all) { _ in
      let start = clock.now
      while clock.now - start < .milliseconds(25) {}
    }
    #expect(lines.withLock { $0 }.contains { $0.hasPrefix("slow, ") && $0.contains("Note by all") })
  }

  @Test func theBackupAndTheRuleOfCompactionRun() async throws {
    try await withFolder { folder in
      let url = folder.appending(path: "notes.croft")
      var options = Store.Options()
      options.compaction = CompactionRule(leastFileBytes: 100 << 20, leastFreeShare: 0.5)
      let store = try Store.open(at: url, models: Note.self, options: options)
      try await store.write { try $0.insert(Note(id: 1)) }

      try await store.backup(to: folder.appending(path: "notes-backup.croft"))

      let copy = folder.appending(path: "notes-backup.croft")
      #expect(try await Store.open(at: copy, models: Note.self).count(Note.all) == 1)
      #expect(try await store.verify().isSound)
    }
  }

  @Test func theSnapshotReadsWhatWas() throws {
    let store = try Store.inMemory(models: Note.self)
    try store.write { try $0.insert(contentsOf: [Note(id: 1), Note(id: 2, isDone: true)]) }

    let snapshot = try store.snapshot(named: "monthly report")
    let open = try snapshot.count(Note.where { !$0.isDone })

    #expect(open == 1)
    try store.write { _ = try $0.deleteAll(Note.self) }
    #expect(try snapshot.count(Note.all) == 2)
    #expect(try store.count(Note.all) == 0)
  }
}
