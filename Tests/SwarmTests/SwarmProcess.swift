import Foundation
import Swarm
import Testing

/// The swarm's program, which is beside the test bundle: the same build put both there.
enum SwarmProcess {
  private static let executable: URL = {
    let bundle = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
    return bundle.deletingLastPathComponent().appending(path: "SwarmRunner")
  }()

  /// Runs it with arguments; what it says goes where the tests' output goes.
  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Int32 {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = Pipe()
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }

  /// Runs a program that once failed, and expects it to pass.
  static func run(_ program: Program) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "swarm-\(UUID()).json")
    try JSONEncoder().encode(program).write(to: file)
    defer {
      // The issue of the test has the program.
      try? FileManager.default.removeItem(at: file)
    }
    #expect(try run(["program", file.path]) == 0)
  }
}
