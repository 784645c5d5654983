import Foundation
import Testing

/// Programs of their own use the module as it was built for these tests, in both language modes.
@Suite struct ClientTests {
  /// A program below `Tests/Clients`, and what it prints.
  struct Client: CustomTestStringConvertible {
    let name: String
    let output: [String]

    var testDescription: String { name }
  }

  static let documented = [
    Client(
      name: "Publishable",
      output: [
        "Old Name: Old Model, New Name: Old Model", "Old Name: Old Model, New Name: New Model",
      ]),
    Client(name: "EventBus", output: ["Payload: Hello, World!"]),
  ]

  static let ofBothModes = [
    Client(
      name: "CallSites",
      output: [
        "second: a to a", "first: a to b", "second: a to b", "third: a to b", "second: b to c",
        "third: instead, c", "second: x to y", "second: y to z", "second: c to c",
        "second: c to c", "count: 1", "count: 5", "first: nothing", "first: second",
        "first: hello", "second: hello", "first: 1", "second: 1", "second: again", "main, actor",
        "roles: 0", "roles: 1", "true true",
      ]),
    Client(
      name: "Observables",
      output: [
        "total 0, total 1, total 3", "one", "ONE", "two", "TWO", "completed", "disposed",
        "torn down", "a", "Refused()",
      ]),
  ]

  @Test(arguments: documented)
  func theDocumentedProgramPrintsWhatItSays(client: Client) throws {
    let program = try Program(client.name, languageMode: "5")
    #expect(program.diagnostics == "")
    #expect(try program.run() == client.output)
  }

  @Test(arguments: ofBothModes, ["5", "6"])
  func theProgramCompilesInBothLanguageModesWithoutAWarning(
    client: Client, languageMode: String
  ) throws {
    let program = try Program(client.name, languageMode: languageMode)
    #expect(program.diagnostics == "")
    #expect(try program.run() == client.output)
  }

  @Test(arguments: [("5", 0), ("6", 4)])
  func whatCannotBeSharedAmongThreadsIsAWarningAndNoError(
    languageMode: String, warnings: Int
  ) throws {
    let program = try Program("Warnings", languageMode: languageMode)
    let lines = program.diagnostics.split(separator: "\n")
    #expect(lines.count { $0.contains(".swift:") && $0.contains(": warning: ") } == warnings)
    #expect(!program.diagnostics.contains("error: "))
    #expect(try program.run() == [#"1 ["1", "yes"]"#])
  }
}

/// A program compiled for a test, and deleted with it.
private final class Program {
  /// What the compiler said.
  let diagnostics: String
  private let folder: URL

  init(_ name: String, languageMode: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "reactive-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
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
      ] + Self.objects(in: built) + Self.sanitizing
    ).error
  }

  deinit {
    // Left behind in the folder for temporary files at worst.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs it, and returns the lines that it printed.
  func run() throws -> [String] {
    let output = try Self.launch(folder.appending(path: "client").path, []).output
    return output.split(separator: "\n").map(String.init)
  }

  /// Where the module that this very test was built with lies: near the test program.
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

  /// The module's code, as the build itself lists it: a folder keeps objects of deleted sources.
  private static func objects(in built: URL) throws -> [String] {
    let folder = built.appending(path: "Reactive.build")
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
