import Croft
import Foundation
import TestSupport
import Testing
import TodoKit
import TodoTestSupport

@testable import TodoPrompt

/// Files that commands write, with `--force` over others.
@Suite struct SessionFilesTests {
  private let terminal: TestTerminal
  private var list: String { terminal.folder.path(to: "list.croft") }

  init() throws {
    terminal = try TestTerminal(columns: 80)
    terminal.opensFiles = true
    _ = run("group", "add", "home")
    _ = run("add", "milk", "!h", "@home")
  }

  private func run(_ words: String...) -> TestTerminal.Run { terminal.run(["--db", list] + words) }

  private func titles(in path: String) throws -> [String] {
    try CroftTodoRepository(path: path).items(.all).map(\.title)
  }

  /// `export list.croft --force` replaced the open list by its export, and `backup` said that another program had it open.
  @Test func theListItselfIsNotReplaced() async throws {
    _ = run("group", "image", "home", "drawn")
    let link = terminal.folder.path(to: "link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: list)
    let hard = terminal.folder.path(to: "hard.json")
    try FileManager.default.linkItem(atPath: list, toPath: hard)
    let opened = try CroftTodoRepository(path: list)
    for path in [list, list + "-journal", list + "-lock", link, hard] {
      for command in [
        ["export", path, "--format", "json", "--force"], ["backup", path, "--force"],
        ["group", "image", "home", "save", path, "--force"],
      ] {
        let ran = terminal.run(["--db", list] + command)
        #expect(ran.status == .failed)
        #expect(ran.messages.contains("belongs to the list itself"), "\(command): \(ran.messages)")
      }
    }
    // Journal and lock are beside the file that a link leads to.
    for path in [list + "-journal", list + "-lock"] {
      let ran = terminal.run(["--db", link, "export", path, "--format", "json", "--force"])
      #expect(ran.messages.contains("belongs to the list itself"), "\(path): \(ran.messages)")
    }
    try await opened.perform(.add([.numbered(1)]))
    #expect(try titles(in: list).count == 2)
  }

  /// A device was replaced by a file.
  @Test func onlyRegularFilesAreReplaced() throws {
    let pipe = terminal.folder.path(to: "pipe.json")
    try #require(mkfifo(pipe, 0o600) == 0)
    let unnamed = Pipe()
    let descriptor = "/dev/fd/\(unnamed.fileHandleForWriting.fileDescriptor)"
    for words in [
      ["export", pipe], ["export", pipe, "--force"], ["export", descriptor, "--format", "json"],
    ] {
      let ran = terminal.run(["--db", list] + words)
      #expect(ran.status == .failed && ran.messages.contains("is a device or a pipe"))
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: pipe)
    #expect(attributes[.type] as? FileAttributeType != .typeRegular)
    #expect(run("export", terminal.folder.path, "--format", "json", "--force").status == .failed)
  }

  /// A link was replaced by a file, and the file that it led to was unchanged.
  @Test func theFileOfALinkIsReplaced() throws {
    let (file, link) = (terminal.folder.path(to: "a.json"), terminal.folder.path(to: "b.json"))
    try Data("old".utf8).write(to: URL(filePath: file))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(run("export", link).status == .failed)
    #expect(run("export", link, "--force").status == .done)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("milk"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    try FileManager.default.removeItem(atPath: file)
    let dangling = run("export", link, "--force")
    #expect(dangling.status == .failed)
    #expect(dangling.messages.contains("is a link to a file that does not exist"))
  }

  /// The only sound copy was replaced by that of a damaged list.
  @Test func aDamagedListReplacesNoCopy() throws {
    let copy = terminal.folder.path(to: "copy.croft")
    #expect(run("backup", copy).status == .done)
    _ = run("edit", "1", "bread")
    #expect(run("backup", copy, "--force").status == .done)
    let expected = try titles(in: copy)
    var bytes = try Data(contentsOf: URL(filePath: list))
    var rest = bytes.startIndex..<bytes.endIndex
    while let found = bytes.range(of: Data(expected[0].utf8), in: rest) {
      bytes[found.lowerBound] ^= 0x20
      rest = found.upperBound..<bytes.endIndex
    }
    try bytes.write(to: URL(filePath: list))
    let refused = run("backup", copy, "--force")
    #expect(
      refused.status == .failed && refused.messages.contains("damaged"), "\(refused.messages)")
    #expect(try titles(in: copy) == expected)
    // Beside it, there may be a copy of what is left.
    #expect(run("backup", terminal.folder.path(to: "other.croft")).status == .done)
  }
}
