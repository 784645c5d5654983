import Foundation

/// What the compiler says of a program that uses the module.
enum Compilation {
  private struct NoProducts: Error {}

  /// Compiles a program without linking it, and returns its errors by their lines.
  ///
  /// It waits on a thread of its own, because other tests need those that tasks run on.
  static func errors(in program: String) async throws -> [Int: String] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { parse(try output(for: program)) })
      }
    }
  }

  private static func output(for program: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Program.swift")
    try program.write(to: file, atomically: true, encoding: .utf8)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "swiftc", "-typecheck", "-no-color-diagnostics", "-swift-version", "6",
      "-I", try modules().path, file.path,
    ]
    let pipe = Pipe()
    compiler.standardError = pipe
    compiler.standardOutput = FileHandle.nullDevice
    try compiler.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  private static func parse(_ output: String) -> [Int: String] {
    let errors = output.matches(of: /Program\.swift:(\d+):\d+: error: (.*)/)
    return errors.reduce(into: [:]) { found, error in
      if let line = Int(error.1) { found[line, default: ""] += error.2 + "\n" }
    }
  }

  /// The folder of the modules that this very test was built with: near the test program.
  private static func modules() throws -> URL {
    var folder = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let modules = folder.appending(path: "Modules")
      let module = modules.appending(path: "Reactive.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return modules }
    }
    throw NoProducts()
  }
}
