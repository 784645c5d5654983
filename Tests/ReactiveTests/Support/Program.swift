import Foundation

/// A program compiled for a test, and deleted with it.
final class Program {
  /// What the compiler said.
  let diagnostics: String
  private let folder: URL

  /// Compiles and links a program below `Tests/Clients`.
  init(_ name: String, languageMode: String) throws {
    folder = try Self.makeFolder()
    let clients = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Clients")
    let built = try Self.builtProducts()
    diagnostics = try Self.launch(
      "/usr/bin/env",
      [
        "swiftc", "-no-color-diagnostics", "-swift-version", languageMode, "-module-name", "Client",
        "-module-cache-path", built.appending(path: "ModuleCache").path,
        "-I", built.appending(path: "Modules").path,
        "-o", folder.appending(path: "client").path,
        clients.appending(path: "\(name).swift").path,
      ] + Self.objects(of: "Reactive", in: built) + Self.objects(of: "ReactiveTesting", in: built)
        + Self.sanitizing
    ).error
  }

  /// Compiles a text without linking it.
  init(text: String) throws {
    folder = try Self.makeFolder()
    let file = folder.appending(path: "Program.swift")
    try text.write(to: file, atomically: true, encoding: .utf8)
    let built = try Self.builtProducts()
    // Through the output, which is read first: the errors are more than an unread pipe holds, and the
    // compiler would wait for ever.
    diagnostics = try Self.launch(
      "/usr/bin/env",
      [
        "sh", "-c", "exec \"$0\" \"$@\" 2>&1",
        "swiftc", "-typecheck", "-no-color-diagnostics", "-swift-version", "6",
        "-module-cache-path", built.appending(path: "ModuleCache").path,
        "-I", built.appending(path: "Modules").path, file.path,
      ]
    ).output
  }

  /// The errors of the compiler, by their lines.
  var errors: [Int: String] {
    let errors = diagnostics.matches(of: /\.swift:(\d+):\d+: error: (.*)/)
    return errors.reduce(into: [:]) { found, error in
      if let line = Int(error.1) { found[line, default: ""] += error.2 + "\n" }
    }
  }

  deinit {
    // At worst it stays in the folder for temporary files.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs it, and returns the lines that it printed.
  func run() throws -> [String] {
    let output = try Self.launch(folder.appending(path: "client").path, []).output
    return output.split(separator: "\n").map(String.init)
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "reactive-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// The folder of the module that this very test was built with: near the test program.
  private static func builtProducts() throws -> URL {
    var folder = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let module = folder.appending(path: "Modules").appending(path: "Reactive.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return folder }
    }
    struct NoModule: Error {}
    throw NoModule()
  }

  /// A module's code, as the build itself lists it: a folder keeps objects of deleted sources.
  private static func objects(of module: String, in built: URL) throws -> [String] {
    let folder = built.appending(path: "\(module).build")
    let list = try Data(contentsOf: folder.appending(path: "output-file-map.json"))
    let products = try JSONDecoder().decode([String: [String: String]].self, from: list)
    return products.filter { $0.key.hasSuffix(".swift") }.compactMap { $0.value["object"] }
  }

  /// Code built for the thread sanitizer links only with its library.
  private static var sanitizing: [String] {
    dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") == nil ? [] : ["-sanitize=thread"]
  }

  private static func launch(
    _ path: String, _ arguments: [String]
  ) throws -> (output: String, error: String) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // The compiler is silent on the one and a client on the other, so neither can fill up unread.
    let texts = [output, error].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (texts[0], texts[1])
  }
}
