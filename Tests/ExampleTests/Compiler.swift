import Foundation

/// The Swift compiler, which finds the modules that this test was built with.
enum Compiler {
  private struct NoProducts: Error {}

  /// Runs the compiler, and returns what it says on stderr.
  ///
  /// It waits on a thread of its own, because other tests need those that tasks run on.
  static func run(_ arguments: [String], root: URL) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try output(of: arguments, root: root) })
      }
    }
  }

  private static func output(of arguments: [String], root: URL) throws -> String {
    let products = try products()
    // Without a plugin that the scripts built, there is the one of SwiftPM.
    let plugin =
      ProcessInfo.processInfo.environment["CROFT_MACRO_PLUGIN"]
      ?? products.appending(path: "CroftMacros-tool").path
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-no-color-diagnostics", "-swift-version", "6"] + arguments + [
        "-enable-upcoming-feature", "ExistentialAny",
        "-I", products.appending(path: "Modules").path,
        "-load-plugin-executable", "\(plugin)#CroftMacros",
        "-Xcc", "-fmodule-map-file=\(root.path)/Sources/CLMDB/module.modulemap",
        "-Xcc", "-fmodule-map-file=\(root.path)/Sources/CZlib/module.modulemap",
      ]
    let pipe = Pipe()
    compiler.standardError = pipe
    compiler.standardOutput = FileHandle.nullDevice
    try compiler.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// The folder of the products that this very test was built with: near the test program.
  private static func products() throws -> URL {
    var folder = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let module = folder.appending(path: "Modules/Croft.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return folder }
    }
    throw NoProducts()
  }
}
