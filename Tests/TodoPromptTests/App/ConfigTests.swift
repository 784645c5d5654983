import Foundation
import TestSupport
import Testing
import TodoKit

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

  /// A file of another system counted as one line.
  @Test func linesOfOtherSystemsAreLines() throws {
    let config = try config("priority = low\r\nsort = title\r\n")
    #expect(config.issues.isEmpty)
    #expect(config[.priority] == "low" && config.sort == .title)
  }

  /// A link to a file that is kept elsewhere was replaced.
  @Test func aLinkStaysOne() throws {
    let folder = TemporaryFolder()
    let (file, link) = (folder.path + "/dotfiles", folder.path + "/config")
    try "view = table\n".write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(try Config(path: link).setting(.view, to: "cards").view == .cards)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "view = cards\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
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
