import Foundation
import LMDB
import Testing
import TestSupport

/// Bytes that would dangle do not compile, and the same code without the escape does.
///
/// The rules are those of the compiler's later passes, so the code is taken to SIL.
@Suite struct LifetimeTests {
  /// A function body with an escape, and its replacement in the harmless twin.
  struct Fixture {
    let name: String
    let body: String
    let escape: String
    let harmless: String
    let message: String
  }

  static let fixtures = [
    Fixture(
      name: "spanOutlivesItsTransaction",
      body: """
          var kept = RawSpan()
          try environment.read { transaction in
            guard let value = try transaction.get(key.span.bytes, in: database) else { return }
            ESCAPE
          }
          print(kept.byteCount)
        """,
      escape: "kept = value", harmless: "print(value.byteCount)",
      message: "lifetime-dependent variable 'kept' escapes its scope"),
    Fixture(
      name: "spanSurvivesAWrite",
      body: """
          try environment.write { transaction in
            if let value = try transaction.get(key.span.bytes, in: database) {
              print(value.byteCount)
              ESCAPE
            }
            try transaction.delete(key.span.bytes, in: database)
          }
        """,
      escape: "try transaction.empty(database); print(value.byteCount)", harmless: "",
      message: "overlapping accesses to 'transaction'"),
    Fixture(
      name: "valueIsWrittenFromThePageItLiesOn",
      body: """
          try environment.write { transaction in
            let copy = key
            ESCAPE
            try transaction.put(copy.span.bytes, at: key.span.bytes, in: database)
          }
        """,
      escape: """
        if let value = try transaction.get(key.span.bytes, in: database) {
          try transaction.put(value, at: key.span.bytes, in: database)
        }
        """,
      harmless: "", message: "overlapping accesses to 'transaction'"),
    Fixture(
      name: "blockBytesOutliveTheirBlock",
      body: """
          try environment.read { transaction in
            var kept = RawSpan()
            try transaction.forEachBlock(of: database) { block in
              let value = block.value(at: 0)
              ESCAPE
              return true
            }
            print(kept.byteCount)
          }
        """,
      escape: "kept = value", harmless: "print(value.byteCount)",
      message: "lifetime-dependent variable 'kept' escapes its scope"),
    Fixture(
      name: "writeDuringAScan",
      body: """
          try environment.write { transaction in
            try transaction.forEachBlock(of: database) { block in
              ESCAPE
              return block.count > 0
            }
          }
        """,
      escape: "try transaction.empty(database)", harmless: "",
      message: "overlapping accesses to 'transaction'"),
    Fixture(
      name: "transactionLeavesItsClosure",
      body: """
          var kept: WriteTransaction?
          try environment.write { transaction in
            ESCAPE
          }
          print(kept == nil)
        """,
      escape: "kept = consume transaction", harmless: "kept = nil; try transaction.empty(database)",
      message: "missing reinitialization of inout parameter 'transaction'"),
  ]

  @Test func noFixtureCompilesWithItsEscape() throws {
    let output = try compile(\.escape)
    let lines = output.split(separator: "\n")
    for fixture in Self.fixtures {
      let errors = lines.filter { $0.contains("error: ") && $0.contains(fixture.name) }
      #expect(
        errors.contains { $0.contains(fixture.message) },
        "\(fixture.name) gave \(errors)")
    }
  }

  @Test func everyFixtureCompilesWithoutItsEscape() throws {
    let output = try compile(\.harmless)
    #expect(!output.contains("error: "), "\(output)")
  }

  /// The compiler's errors on all fixtures, each a file named for it, with a line in the
  /// escape's place.
  private func compile(_ line: (Fixture) -> String) throws -> String {
    let folder = TemporaryFolder()
    let files = try Self.fixtures.map { fixture in
      let body = fixture.body.replacing("ESCAPE", with: line(fixture))
      let source = """
        import LMDB

        func \(fixture.name)(
          _ environment: Environment, _ database: Database, _ key: [UInt8]
        ) throws {
        \(body)
        }
        """
      let path = folder.path("\(fixture.name).swift")
      try source.write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      [
        "swiftc", "-emit-sil", "-wmo", "-module-name", "Fixtures", "-o", "/dev/null",
        "-swift-version", "6", "-I", try modules().path,
        "-Xcc", "-fmodule-map-file=\(root.path)/Sources/CLMDB/module.modulemap",
      ] + files
    let pipe = Pipe()
    compiler.standardError = pipe
    compiler.standardOutput = FileHandle.nullDevice
    try compiler.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// The folder of the modules that this very test was built with: near the test program.
  private func modules() throws -> URL {
    var folder = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let modules = folder.appending(path: "Modules")
      if FileManager.default.fileExists(atPath: modules.appending(path: "LMDB.swiftmodule").path) {
        return modules
      }
    }
    struct NoModules: Error {}
    throw NoModules()
  }
}
