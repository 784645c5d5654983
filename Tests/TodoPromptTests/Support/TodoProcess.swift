import Foundation
import Testing
import TestSupport

/// The built program, run as its users run it: a process, pipes, and a folder of its own.
final class TodoProcess {
  let folder: TemporaryFolder
  let environment: [String: String]

  /// The program is beside the test bundle, where the same build put both.
  static let executable: URL = {
    let bundle = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
    return bundle.deletingLastPathComponent().appending(path: "todo")
  }()

  init(environment: [String: String] = [:]) throws {
    folder = TemporaryFolder()
    let base = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "TODO_DB": folder.path + "/x.croft"]
    self.environment = base.merging(environment) { _, given in given }
  }

  struct Result {
    let status: Int32
    let output: String
    let messages: String
  }

  /// Runs a line of a shell, in which `$TODO` is the program.
  func shell(_ line: String) throws -> Result {
    try start(
      URL(filePath: "/bin/sh"), ["-c", line], input: "",
      environment.merging(["TODO": Self.executable.path]) { _, new in new })
  }

  /// Starts the program with files as its streams, so that no pipe can fill up.
  func run(_ arguments: [String], input: String = "") throws -> Result {
    try start(Self.executable, arguments, input: input, environment)
  }

  private func start(
    _ executable: URL, _ arguments: [String], input: String, _ environment: [String: String]
  ) throws -> Result {
    let files = try ["in", "out", "err"].map { name in
      let path = folder.path + "/\(name)-\(UUID().uuidString)"
      try (name == "in" ? input : "").write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = FileHandle(forReadingAtPath: files[0])
    process.standardOutput = FileHandle(forWritingAtPath: files[1])
    process.standardError = FileHandle(forWritingAtPath: files[2])
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      output: try String(contentsOfFile: files[1], encoding: .utf8),
      messages: try String(contentsOfFile: files[2], encoding: .utf8))
  }
}
