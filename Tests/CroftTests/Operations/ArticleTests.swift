import Croft
import Foundation
import Testing

/// The code of the articles about operations and about values under names.
@Suite struct ArticleTests {
  @Model struct Note {
    @PrimaryKey var id: Int
    var isDone = false
  }

  struct Settings: Codable { var theme = "light" }

  @Test func theExamplesOfOperationsRun() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "notes.croft")

    var options = Store.Options()
    options.compaction = CompactionRule(leastFileBytes: 100 << 20, leastFreeShare: 0.5)
    let store = try Store.open(at: url, models: Note.self, options: options)
    try await store.backup(to: folder.appending(path: "notes-backup.croft"))
    let snapshot = try store.snapshot(named: "monthly report")
    let open = try await snapshot.count(Note.where { !$0.isDone })

    #expect(open == 0)
    #expect(try await store.verify().isSound)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func theExamplesOfStoragesRun() async {
    let home = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())").path
    await #expect(processExitsWith: .success) { [home = home as String] in
      setenv("XDG_DATA_HOME", home, 1)
      StoreStorage.shared.save(Settings(theme: "dark"), forKey: "settings")
      let settings: Settings? = StoreStorage.shared.load(forKey: "settings")
      try #require(settings?.theme == "dark")
      StoreStorage.shared.remove(forKey: "settings")
      let alerts = Recorder<String>()
      StoreStorage.shared.onError = { failure in alerts.add("\(failure)") }
      StoreStorage.shared.save(Double.nan, forKey: "ratio")
      try #require(alerts.all.count == 1)
    }
    // A folder that cannot be removed is litter and no failure of the test.
    try? FileManager.default.removeItem(atPath: home)
  }
}
