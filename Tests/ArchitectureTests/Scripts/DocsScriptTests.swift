import Foundation
import Testing

/// The command that builds the documentation as a site.
@Suite struct DocsScriptTests {
  /// A module that is missing there has pages that no site shows, and whose links nobody checks.
  @Test func theSiteHasEveryModuleWithPages() throws {
    let script = try String(
      contentsOf: Project.root.appending(path: "Scripts/docs"), encoding: .utf8)
    let list = try #require(script.firstMatch(of: /modules="([^"]*)"/)).1
    let modules = list.split { $0.isWhitespace || $0 == "\\" }.map(String.init)
    let sources = Project.root.appending(path: "Sources")
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let withPages = folders.filter {
      FileManager.default.fileExists(atPath: sources.appending(path: "\($0)/\($0).docc").path)
    }
    #expect(modules.sorted() == withPages.sorted())
  }
}
