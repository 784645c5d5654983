import Foundation
import TestSupport
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ImportCommandTests {
  /// `import <(task export)` said "permission denied": the file was read as one on a disk.
  @Test func aPipeIsReadLikeAFile() throws {
    let place = try Place()
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("(A) Call Mom\n".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let run = place.terminal.run(["import", path, "--format", "todo.txt"])
    #expect(run.status == .done, "\(run.messages)")
    #expect(try place.repository.items(.all).map(\.title) == ["Call Mom"])
  }

  /// A calendar without a name takes that of its file as the group; a pipe has none.
  @Test func theNumberOfAPipeIsNotAGroup() throws {
    let place = try Place()
    let pipe = Pipe()
    let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:Call\nEND:VTODO\nEND:VCALENDAR\n"
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(place.terminal.run(["import", path]).status == .done)
    #expect(try place.repository.groups().isEmpty)
  }

  /// One VTODO without SUMMARY refused the whole file, and nothing could be done about it.
  @Test func aToDoWithoutASummaryIsSkippedWhereThatIsAsked() throws {
    let place = try Place()
    let path = place.folder.path(to: "tasks.ics")
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VTODO
      UID:1
      END:VTODO
      BEGIN:VTODO
      UID:2
      SUMMARY:Call
      END:VTODO
      END:VCALENDAR

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let refused = place.terminal.run(["import", path])
    #expect(refused.status == .badData && refused.messages.contains("--skip-errors"))
    #expect(try place.repository.items(.all).isEmpty)
    let run = place.terminal.run(["--lang", "ko", "import", path, "--skip-errors"])
    #expect(run.status == .done && run.output.contains("추가 1, 변경 0, 그대로 0, 건너뜀 1"))
    #expect(run.messages.contains("3번째 줄: VTODO에 SUMMARY가 없습니다."), "\(run.messages)")
    #expect(try place.repository.items(.all).map(\.title) == ["Call"])
  }

  /// Bytes that are not UTF-8 end the reading, so there are no other rows to import.
  @Test func whereTheRestCannotBeReadNothingIsSkipped() throws {
    let place = try Place()
    let path = place.folder.path(to: "todo.txt")
    try Data([0x61, 0x0A, 0xFF, 0x0A, 0x62, 0x0A]).write(to: URL(filePath: path))
    let run = place.terminal.run(["import", path, "--skip-errors"])
    #expect(run.status == .badData && !run.messages.contains("--skip-errors"))
    #expect(try place.repository.items(.all).isEmpty)
  }
}
