import Croft
import Foundation
import PageServerTesting
import Testing

@testable import CroftStudio

/// The file of a studio: its names, and what takes its place while it is shown.
struct FileTests {
  /// Moves the file of a store to the place of another, with its journal.
  private func move(_ new: URL, to file: URL) throws {
    for end in ["-journal", ""] {
      guard FileManager.default.fileExists(atPath: new.path + end) else {
        if rename(file.path + end, new.path + end + "-old") != 0, errno != ENOENT {
          throw POSIXError(.EIO)
        }
        continue
      }
      if rename(new.path + end, file.path + end) != 0 { throw POSIXError(.EIO) }
    }
  }

  /// A page, once it is as it shall be; a file is looked at ten times a second.
  private func page(
    _ studio: TestStudio, _ path: String, until holds: (TestAnswer) -> Bool
  ) throws -> TestAnswer {
    var answer = try studio.page(path)
    for _ in 0..<600 where !holds(answer) { answer = try studio.page(path) }
    return answer
  }

  @Test func aFileInPlaceOfTheOldOneIsShown() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "old")) }
    #expect(try studio.page("/models/Shelf").text.contains("old"))
    for round in 0..<3 {
      let new = studio.server.folder.appending(path: "new.croft")
      try TestStudio.makeStore(at: new) { try $0.insert(Shelf(id: 2, name: "new \(round)")) }
      try move(new, to: studio.file)
      let page = try page(studio, "/models/Shelf") { $0.text.contains("new \(round)") }
      #expect(page.status == 200 && page.text.contains("new \(round)"))
      #expect(!page.text.contains("old"))
    }
  }

  /// Pages had rows of both files, and told that the store was damaged.
  @Test(arguments: [false, true]) func aFileThatIsOverwrittenInPlaceIsShown(writes: Bool) throws {
    let studio = try TestStudio(writes: writes) { tx in
      for id in 0..<300 { try tx.insert(Shelf(id: id, name: "old \(id)")) }
    }
    // More commits than the other file has.
    for id in 300..<305 { try studio.write { try $0.insert(Shelf(id: id, name: "old \(id)")) } }
    #expect(try studio.page("/models/Shelf").text.contains("old"))
    let new = studio.server.folder.appending(path: "new.croft")
    try TestStudio.makeStore(at: new) { tx in
      for id in 0..<300 { try tx.insert(Shelf(id: id, name: "new \(id)")) }
    }
    let bytes = try Data(contentsOf: new)
    let handle = try FileHandle(forWritingTo: studio.file)
    // As cp does, but for a file that is empty for a moment.
    try handle.write(contentsOf: bytes)
    try handle.truncate(atOffset: UInt64(bytes.count))
    try handle.close()
    let page = try page(studio, "/models/Shelf") { $0.text.contains("new 0") }
    #expect(page.objects.count == 100 && !page.text.contains("old"))
    #expect(!page.text.contains("damaged"))
  }

  /// An export kept the old store open, and no page was shown as long as its reader waited.
  @Test func anExportOfTheOldFileEnds() throws {
    let studio = try TestStudio(fill: QueryTests.fillMany)
    let reader = try TestConnection(to: studio.server.port, buffer: 4_096)
    reader.send(studio.request("/models/Volume/export/csv"))
    #expect(reader.read(upTo: "\n1,\"long") != nil)
    let new = studio.server.folder.appending(path: "new.croft")
    try TestStudio.makeStore(at: new) { try $0.insert(Shelf(id: 2, name: "new")) }
    try move(new, to: studio.file)
    let page = try page(studio, "/models/Shelf") { $0.text.contains(">new<") }
    #expect(page.status == 200)
    _ = reader.readToEnd()
    #expect(reader.isEnded)
  }

  /// A studio that may write made an empty store where the file was missing.
  @Test(arguments: [false, true])
  func aFileThatIsMissingIsToldUntilItIsBack(writes: Bool) throws {
    let studio = try TestStudio(writes: writes) { try $0.insert(Shelf(id: 1, name: "old")) }
    #expect(try studio.page("/models/Shelf").status == 200)
    let away = studio.server.folder.appending(path: "away.croft")
    for end in ["", "-journal"] where FileManager.default.fileExists(atPath: studio.file.path + end)
    {
      #expect(rename(studio.file.path + end, away.path + end) == 0)
    }
    let missing = try page(studio, "/models/Shelf") { $0.status != 200 }
    #expect(missing.status == 503 && missing.text.contains("role=\"alert\""))
    #expect(missing.text.contains("load this page again"))
    #expect(!missing.text.contains("for writing"))
    #expect(!FileManager.default.fileExists(atPath: studio.file.path))
    try move(away, to: studio.file)
    let back = try page(studio, "/models/Shelf") { $0.status == 200 }
    #expect(back.text.contains("old"))
  }

  /// The session was bound to the name as it was typed.
  @Test func aLinkToTheFileIsTheSameFile() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "old")) }
    let link = studio.server.folder.appending(path: "link.croft")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: studio.file)
    let cookie = try studio.server.cookie(of: studio.server.run("--link").output)
    studio.server.stop()
    let other = try TestServer(
      .init(
        "croft-studio", arguments: [link.path, "--port", "\(studio.server.port)"], homePath: "/"),
      in: studio.server.folder)
    #expect(try other.ask("GET", "/models/Shelf", ["Cookie": cookie]).status == 200)
  }

  /// A journal that cannot be replayed gives a copy, as a store in memory is, which follows nothing.
  @Test func aCopyIsToldFromTheFile() throws {
    let folder = try TestServer.makeFolder()
    defer {
      // What stays is in the folder for temporary files.
      try? FileManager.default.removeItem(at: folder)
    }
    let file = folder.appending(path: "books.croft")
    try TestStudio.makeStore(at: file) { try $0.insert(Shelf(id: 1, name: "a")) }
    #expect(try ShownStore(path: file.path, isWritable: false).notice == nil)
    let copy = try Store.inMemory(copyOf: file, models: [])
    let notice = try ShownStore(copy, path: file.path, isWritable: false).notice
    #expect(notice?.contains("show a copy") == true)
    let templates = try StudioTemplates()
    #expect(templates.render(.models, ["notice": "text < 1"]).contains("text &lt; 1"))
    #expect(!templates.render(.models, [:]).contains("class=\"notice\""))
  }

  /// A page had a gap where the name of a template was wrong, or was empty.
  @Test func aTemplateThatIncludesAMissingPartIsRefused() {
    #expect(throws: StudioTemplates.MissingPart(name: "head")) { try StudioTemplates(parts: []) }
  }
}
