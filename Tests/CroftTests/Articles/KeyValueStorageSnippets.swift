import Croft
import Foundation
import Testing

/// The code of the article about values under names.
@Suite struct KeyValueStorageSnippets {
  struct Settings: Codable { var theme = "light" }

  @Test func theExamplesRun() async {
    let home = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())").path
    await #expect(processExitsWith: .success) { [home = home as String] in
      setenv("XDG_DATA_HOME", home, 1)

      StoreStorage.shared.save(Settings(theme: "dark"), forKey: "settings")
      let settings: Settings? = StoreStorage.shared.load(forKey: "settings")
      StoreStorage.shared.remove(forKey: "settings")

      try #require(settings?.theme == "dark")
      let gone: Settings? = StoreStorage.shared.load(forKey: "settings")
      try #require(gone == nil)

      let alerts = Recorder<String>()
      @Sendable func alert(_ text: String) { alerts.add(text) }

      StoreStorage.shared.onError = { failure in alert("\(failure)") }

      StoreStorage.shared.save(Double.nan, forKey: "ratio")
      try #require(alerts.all.count == 1)
    }
    // A folder that cannot be removed is litter and no failure of the test.
    try? FileManager.default.removeItem(atPath: home)
  }
}
