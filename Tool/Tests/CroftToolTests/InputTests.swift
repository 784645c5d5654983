import Croft
import Foundation
import Testing

/// Bytes of the standard input, as the program reads them.
@Suite struct InputTests {
  private let store: BookStore

  init() throws { store = try BookStore() }

  /// Runs the program with some bytes.
  private func run(
    _ words: [String], _ input: [UInt8]
  ) throws -> (code: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft")
    process.arguments = words
    let (lines, output, messages) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (lines, output)
    process.standardError = messages
    try process.run()
    try lines.fileHandleForWriting.write(contentsOf: Data(input))
    try lines.fileHandleForWriting.close()
    let texts = try [output, messages].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (process.terminationStatus, texts[0], texts[1])
  }

  /// Bytes of Latin-1 were repaired: the store got another text than was typed, and nobody was
  /// told.
  @Test func aLineInAnotherEncodingIsRefused() throws {
    let latin = Array("insert Author {id: 3, name: \"Caf".utf8) + [0xE9] + Array("\"}\n".utf8)
    let lines = Array("Author select count\n".utf8)
    let refused = try run(["--write", store.file], lines + latin + lines)
    #expect(refused.code == 1 && refused.output == "2\n")
    #expect(refused.messages.hasPrefix("croft: line 2: the line is not in UTF-8"))
    let continued = try run(["--write", "--keep-going", store.file], latin + lines)
    #expect(continued.code == 1 && continued.output == "2\n")
    #expect(try store.open().fetch(Author.all).count == 2)
    let load = try run(["load", store.folder.appending(path: "new.croft").path], lines + latin)
    #expect(load.code == 1 && load.messages.hasPrefix("croft: "))
  }

  @Test func endsOfLinesOfOtherSystemsAndAMarkOfTheBeginningAreRead() throws {
    let marked = [0xEF, 0xBB, 0xBF] + Array("Author select count\r\nBook select count".utf8)
    let read = try run([store.file], marked)
    #expect(read.code == 0 && read.output == "2\n3\n" && read.messages == "")
  }
}
