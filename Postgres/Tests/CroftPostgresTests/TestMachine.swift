import Foundation

/// A machine with a list of its own: a folder that is the home of the programs which run there.
///
/// Threads: one at a time.
final class TestMachine: @unchecked Sendable {
  /// What a program said, and how it ended.
  struct Run {
    var code: Int32
    var output: String
    var messages: String
  }

  let folder: URL
  /// Variables beyond those of the home.
  var variables: [String: String] = [:]

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "croft-machine-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit {
    // A folder that stays is litter and no failure.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs `todo` with arguments, as a user of the machine does, without a terminal.
  func todo(_ arguments: String...) throws -> Run {
    // The programs are built beside the bundle of the tests.
    let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = programs.appending(path: "todo")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "TODO_PRIORITY": "normal", "TZ": "UTC",
    ].merging(variables) { $1 }
    let (output, messages) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, messages)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Neither is longer than a pipe holds.
    let texts = try [output, messages].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Run(code: process.terminationStatus, output: texts[0], messages: texts[1])
  }

  /// The titles of the list, in its order.
  func titles() throws -> [String] { try rows().compactMap { $0["title"] as? String } }

  /// The id of an item, by which it is named without a terminal.
  func id(of title: String) throws -> String {
    let row = try rows().first { $0["title"] as? String == title }
    return row?["id"] as? String ?? "no item \(title)"
  }

  private func rows() throws -> [[String: Any]] {
    let json = Data(try todo("ls", "-o", "json", "--sort", "manual").output.utf8)
    return try JSONSerialization.jsonObject(with: json) as? [[String: Any]] ?? []
  }

  /// Writes a file, which those see who the mode says.
  func write(_ text: String, to name: String, mode: Int) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    return file.path
  }
}
