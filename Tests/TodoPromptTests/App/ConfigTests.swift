import Foundation
import TestSupport
import Testing

@testable import TodoPrompt

@Suite struct ConfigTests {
  private func config(_ lines: String) throws -> Config {
    let folder = TemporaryFolder()
    let path = folder.path + "/config"
    try lines.write(toFile: path, atomically: true, encoding: .utf8)
    return Config(path: path)
  }

  @Test func theScreensSettingsAreRead() throws {
    let config = try config(
      """
      view = cards
      theme = light
      unicode = yes
      ambiguous_width = 2
      pager = less -S | cat
      """)
    #expect(config.issues.isEmpty)
    #expect(config.view == .cards && config.theme == .light)
    #expect(config.glyphs.isUnicode && config.ambiguousWidth == 2)
    #expect(config[.pager] == "less -S | cat")
  }

  @Test func withoutThemEverythingIsAsItAlwaysWas() {
    let config = Config()
    #expect(config.view == .table && config.theme == .default)
    #expect(!config.glyphs.isUnicode && config.ambiguousWidth == 1)
    #expect(config[.pager] == nil)
  }

  @Test(arguments: [
    "view = list", "theme = pink", "unicode = maybe", "ambiguous_width = 3", "pager =",
    "pagers = x",
  ])
  func whatIsNoValueIsToldAndLeftOut(line: String) throws {
    let config = try config(line + "\n")
    #expect(config.issues.count == 1)
    #expect(config.view == .table && config.theme == .default && config[.pager] == nil)
  }

  @Test func aSettingThatCannotBeWrittenIsKeptForTheSession() throws {
    let kept = Config().keeping(.view, as: "cards")
    #expect(kept.view == .cards && kept.path == nil)
    let terminal = try TestTerminal(environment: ["XDG_CONFIG_HOME": "/dev/null"], columns: 60)
    let run = terminal.run([], lines: ["view cards", "view"])
    #expect(run.output == "Lists are cards.\nLists are cards.\n")
    #expect(run.messages.contains("Only until the end of this session"))
  }
}
