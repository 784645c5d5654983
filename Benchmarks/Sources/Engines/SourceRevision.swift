import Foundation

/// Which state of the sources was measured.
enum SourceRevision {
  /// The commit, and whether files differ from it; from git, when the command runs.
  ///
  /// Figures of a build that is older than the sources would get a wrong name: `Scripts/bench`
  /// builds first.
  static var text: String {
    let describe = Process()
    describe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    describe.arguments = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    describe.currentDirectoryURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let output = Pipe()
    describe.standardOutput = output
    describe.standardError = FileHandle.nullDevice
    do {
      try describe.run()
    } catch {
      return "of unknown revision"
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    describe.waitUntilExit()
    let revision = String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    guard describe.terminationStatus == 0, !revision.isEmpty else { return "of unknown revision" }
    return "revision \(revision)"
  }
}
