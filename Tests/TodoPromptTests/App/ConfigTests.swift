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

  /// Each session wrote the lines that it had read at its start, so the last one to set anything
  /// removed what the others had set.
  @Test func settingsOfTwoSessionsAreBothKept() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/todo/config"
    let (first, second) = (Config(path: path), Config(path: path))
    _ = try first.setting(.view, to: "cards")
    let both = try second.setting(.sort, to: "title")
    #expect(both.view == .cards && both.sort == .title)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "view = cards\nsort = title\n")
    #expect(try first.setting(.view, to: nil).sort == .title)
  }

  /// A file that could not be read counted as empty, and was then written over; the reason was
  /// printed as Foundation describes it.
  @Test func aFileThatCannotBeReadIsReportedAndNotWritten() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/config"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let config = Config(path: path)
    #expect(config.issues.map(\.english) == ["\(path) cannot be read: it is a folder."])
    #expect(config.issues.map(\.korean) == ["\(path)을(를) 읽을 수 없습니다: 폴더입니다."])
    #expect {
      try config.setting(.sort, to: "due")
    } throws: { error in
      (error as? CommandError)?.text(in: .english) == "\(path) cannot be read: it is a folder."
    }
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
