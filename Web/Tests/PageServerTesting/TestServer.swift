package import Foundation

/// A program of this package that serves pages, in a folder of its own, which ends with the test.
package final class TestServer {
  /// What is started.
  package struct Program {
    /// The name of the executable, beside the tests.
    package let name: String
    /// The words before all others.
    package let arguments: [String]
    /// The variables beside those that every program has here.
    package let environment: [String: String]
    /// The first page.
    package let homePath: String

    /// Makes a description of a program.
    package init(
      _ name: String, arguments: [String] = [], environment: [String: String] = [:],
      homePath: String
    ) {
      (self.name, self.arguments) = (name, arguments)
      (self.environment, self.homePath) = (environment, homePath)
    }
  }

  /// The program did not start, or did not answer.
  package struct Failure: Error, CustomStringConvertible {
    /// What failed.
    package let description: String
  }

  /// The folder of the test, which is removed with the server.
  package let folder: URL
  /// The address at which it listens.
  package let hostName: String
  /// The process that runs, or ran last.
  package private(set) var process: Process
  /// The port of the process.
  package private(set) var port: Int
  /// The address that the server printed, with its token.
  package private(set) var address: String
  private let program: Program

  /// The origin of the server's pages.
  package var origin: String { "http://\(host)" }
  /// The address and the port.
  package var host: String { "\(hostName):\(port)" }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - program: What is started.
  ///   - folder: The folder of the test, which exists.
  ///   - limits: What the shell does before, such as `ulimit -n 200`.
  ///   - host: The address to listen at; nil for that of a server that was told none.
  package init(
    _ program: Program, in folder: URL, limits: String = "true", host: String? = nil
  ) throws {
    (self.program, self.folder) = (program, folder)
    hostName = host ?? "127.0.0.1"
    (process, address, port) = try Self.start(
      program, in: folder, limits: limits, host.map { ["--host", $0] } ?? [])
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    // What stays is in the folder for temporary files.
    try? FileManager.default.removeItem(at: folder)
  }

  /// A new folder for a test.
  package static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "page-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Ends the server as ^C does.
  ///
  /// - Returns: Its exit code.
  @discardableResult
  package func stop() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Starts the server again, at the same port.
  package func restart() throws {
    (process, address, port) = try Self.start(
      program, in: folder, limits: "true", ["--port", "\(port)"])
  }

  /// Runs the program with some arguments to its end.
  ///
  /// - Parameters:
  ///   - shell: What the shell does before.
  ///   - opens: Whether it may open a browser.
  package func run(
    korean: Bool = false, shell: String = "true", opens: Bool = false, _ arguments: String...
  ) throws -> (code: Int32, output: String, messages: String) {
    let (process, output, messages) = try Self.process(
      program, in: folder, limits: korean ? "export LANG=ko_KR.UTF-8" : shell,
      (opens ? [] : ["--no-open"]) + arguments)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let errors = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self),
      String(decoding: errors, as: UTF8.self)
    )
  }

  /// The memory of the process that is its own and not that of files, in bytes.
  package var memory: Int {
    get throws {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
      return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 } ?? 0
    }
  }

  private static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  private static func process(
    _ program: Program, in folder: URL, limits: String, _ arguments: [String]
  ) throws -> (Process, Pipe, Pipe) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let path = programs.appending(path: program.name).path
    process.arguments =
      ["-c", "\(limits) && exec \"$@\"", "sh", path] + program.arguments + arguments
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "en_US.UTF-8",
    ].merging(program.environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    return (process, output, messages)
  }

  private static func start(
    _ program: Program, in folder: URL, limits: String, _ arguments: [String]
  ) throws -> (Process, String, Int) {
    let (process, output, _) = try self.process(
      program, in: folder, limits: limits, ["--no-open"] + arguments)
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let next = output.fileHandleForReading.availableData
      if next.isEmpty { throw Failure(description: "\(program.name) did not start.") }
      line += next
    }
    let address = String(decoding: line.dropLast(), as: UTF8.self)
    return (process, address, URL(string: address)?.port ?? 0)
  }
}

extension TestServer {
  /// Sends a request on a connection of its own, and reads the answer.
  ///
  /// - Parameters:
  ///   - path: The path; nil for the first page.
  ///   - headers: Headers beside those that every request has; they replace them.
  package func ask(
    _ method: String = "GET", _ path: String? = nil, _ headers: [String: String] = [:],
    body: String? = nil
  ) throws -> TestAnswer {
    let path = path ?? program.homePath
    let connection = try TestConnection(to: port, at: hostName)
    connection.send(request(method, path, headers, body: body))
    guard let answer = connection.answer() else {
      throw Failure(description: "There is no answer to \(method) \(path).")
    }
    return answer
  }

  /// A request as text; its connection ends after the answer.
  package func request(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
  ) -> String {
    var all = ["Host": host, "Connection": "close"]
    if let body { all["Content-Length"] = "\(body.utf8.count)" }
    all.merge(headers) { $1 }
    let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return "\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body ?? "")"
  }

  /// Opens the printed address; the cookie that the browser then has.
  package func cookie() throws -> String { try cookie(of: address) }

  /// Opens a link, as the program prints it; the cookie that the browser then has.
  package func cookie(of link: String) throws -> String {
    let path = link.dropFirst(origin.count).prefix { !$0.isNewline }
    let answer = try ask("GET", String(path))
    guard let cookie = answer.headers["set-cookie"] else {
      throw Failure(description: "The link gave no cookie.")
    }
    return cookie.prefix { $0 != ";" }.description
  }

  /// Sends a form of the server's own page.
  package func post(_ path: String, _ body: String, cookie: String) throws -> TestAnswer {
    try ask("POST", path, ["Cookie": cookie, "Origin": origin], body: body)
  }
}
