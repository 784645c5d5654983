import Foundation
import TestSupport
import Testing

@testable import LineEditing

@Suite struct ExternalEditorTests {
  private func edited(by script: String) throws -> String? {
    let folder = TemporaryFolder()
    let path = folder.path(to: "editor")
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    let variables = ["EDITOR": "sh \(path)", "PATH": "/usr/bin:/bin"]
    return withExtendedLifetime(folder) { ExternalEditor(variables: variables).edit("add milk") }
  }

  @Test func aTextIsAsTheEditorSavedIt() throws {
    #expect(try edited(by: #"echo "add bread" > "$1""#) == "add bread")
    #expect(try edited(by: "true") == "add milk")
  }

  /// A program that a signal ended counted as one that ended well, and what it had written so far was
  /// taken for the line.
  @Test func anEditorThatIsKilledChangesNothing() throws {
    #expect(try edited(by: #"echo "add br" > "$1"; kill -KILL $$"#) == nil)
    #expect(try edited(by: #"echo "add br" > "$1"; exit 3"#) == nil)
    #expect(try edited(by: #"rm "$1""#) == nil)
    let killed = ShellProcess(command: "kill -KILL $$", variables: [:])
    #expect(killed.run() == 128 + SIGKILL)
  }
}
