import Foundation
import Testing
import Synchronization

/// A `todo-web` of its own, on a list of its own, which ends with the test.
final class TestServer {
  let folder: URL
  /// The address at which it listens.
  let hostName: String
  private(set) var process: Process
  private(set) var port: Int
  /// The address that the server printed, with its token.
  private(set) var address: String

  var list: String { folder.appending(path: "list.croft").path }
  var origin: String { "http://\(host)" }
  var host: String { "\(hostName):\(port)" }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - limits: What the shell does before, such as `ulimit -n 200`.
  ///   - host: The address to listen at; nil for that of a server that was told none.
  init(limits: String = "true", host: String? = nil) throws {
    hostName = host ?? "127.0.0.1"
    folder = FileManager.default.temporaryDirectory.appending(path: "todo-web-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (process, address, port) = try Self.start(
      in: folder, limits: limits, host.map { ["--host", $0] } ?? [])
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    // What stays is in the folder for temporary files.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends the server as ^C does.
  ///
  /// - Returns: Its exit code.
  @discardableResult
  func stop() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Starts the server again, at the same port.
  func restart() throws {
    (process, address, port) = try Self.start(in: folder, limits: "true", ["--port", "\(port)"])
  }

  /// Runs `todo-web` with some arguments to its end.
  ///
  /// - Parameters:
  ///   - shell: What the shell does before.
  ///   - opens: Whether it may open a browser.
  func run(
    korean: Bool = false, shell: String = "true", opens: Bool = false, _ arguments: String...
  ) throws -> (code: Int32, output: String, messages: String) {
    let (process, output, messages) = try Self.process(
      in: folder, limits: korean ? "export LANG=ko_KR.UTF-8" : shell,
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
  var memory: Int {
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
    in folder: URL, limits: String, _ arguments: [String]
  ) throws -> (Process, Pipe, Pipe) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let program = programs.appending(path: "todo-web").path
    process.arguments = ["-c", "\(limits) && exec \"$@\"", "sh", program] + arguments
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "en_US.UTF-8",
      "TODO_DB": folder.appending(path: "list.croft").path, "TODO_PRIORITY": "normal",
    ]
    process.standardInput = FileHandle.nullDevice
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    return (process, output, messages)
  }

  private static func start(
    in folder: URL, limits: String, _ arguments: [String]
  ) throws -> (Process, String, Int) {
    let (process, output, _) = try self.process(
      in: folder, limits: limits, ["--no-open"] + arguments)
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let next = output.fileHandleForReading.availableData
      if next.isEmpty { throw CocoaError(.executableLoad) }
      line += next
    }
    let address = String(decoding: line.dropLast(), as: UTF8.self)
    return (process, address, URL(string: address)?.port ?? 0)
  }
}

/// One connection to a server, which waits for what it reads.
///
/// Threads: one at a time, so that nothing needs a lock; a test hands it from one to the next.
final class TestConnection: @unchecked Sendable {
  private let descriptor: Int32
  private var read: [UInt8] = []
  /// Whether the other side has ended the connection; it may as well send nothing.
  private(set) var isEnded = false
  /// How many bytes have come.
  private(set) var bytesRead = 0

  /// Connects; what does not come within a minute is an error.
  ///
  /// - Parameters:
  ///   - host: The address of the server.
  ///   - buffer: The size of the buffer of the system for what comes; nil for the usual one.
  init(to port: Int, at host: String = "127.0.0.1", buffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var buffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if descriptor < 0 || code != 0 { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  /// Sends a text.
  ///
  /// - Returns: Whether the other side took all of it.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { buffer in
        Foundation.send(
          descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// What comes up to a text, with the text; nil where the connection ends before.
  func read(upTo end: String) -> String? {
    let wanted = Array(end.utf8)
    // Bytes are looked through once, however many come.
    var start = 0
    while true {
      if let index = read.firstIndex(of: wanted, from: start) {
        let text = String(decoding: read[..<(index + wanted.count)], as: UTF8.self)
        read.removeFirst(index + wanted.count)
        return text
      }
      start = max(0, read.count - wanted.count + 1)
      if !receive() { return nil }
    }
  }

  /// A number of bytes; nil where the connection ends before.
  func read(count: Int) -> String? {
    while read.count < count { if !receive() { return nil } }
    defer { read.removeFirst(count) }
    return String(decoding: read[..<count], as: UTF8.self)
  }

  /// What comes until the connection ends.
  func readToEnd() -> String {
    while receive() {}
    defer { read = [] }
    return String(decoding: read, as: UTF8.self)
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    isEnded = count == 0 || (count < 0 && errno == ECONNRESET)
    if count <= 0 { return false }
    bytesRead += count
    read += buffer[..<count]
    return true
  }
}

extension [UInt8] {
  /// The index from a start on at which some bytes begin; nil where they are missing.
  fileprivate func firstIndex(of other: [UInt8], from start: Int) -> Int? {
    guard count - start >= other.count else { return nil }
    return (start...(count - other.count)).first { start in
      self[start] == other[0] && self[start..<start + other.count].elementsEqual(other)
    }
  }
}

/// What a server answered.
struct TestAnswer {
  let status: Int
  /// The headers, by their names in small letters; of one that comes twice the last.
  let headers: [String: String]
  let text: String
}

extension TestServer {
  /// Sends a request on a connection of its own, and reads the answer.
  ///
  /// - Parameter headers: Headers beside those that every request has; they replace them.
  func ask(
    _ method: String = "GET", _ path: String = "/lists/all", _ headers: [String: String] = [:],
    body: String? = nil
  ) throws -> TestAnswer {
    let connection = try TestConnection(to: port, at: hostName)
    connection.send(request(method, path, headers, body: body))
    return try #require(connection.answer(), "There is no answer to \(method) \(path).")
  }

  /// A request as text; its connection ends after the answer.
  func request(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
  ) -> String {
    var all = ["Host": host, "Connection": "close"]
    if let body { all["Content-Length"] = "\(body.utf8.count)" }
    all.merge(headers) { $1 }
    let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return "\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body ?? "")"
  }

  /// Opens the printed address; the cookie that the browser then has.
  func cookie() throws -> String {
    let answer = try ask("GET", String(address.dropFirst(origin.count)))
    return try #require(answer.headers["set-cookie"]).prefix { $0 != ";" }.description
  }

  /// Sends a form of the server's own page.
  func post(_ path: String, _ body: String, cookie: String) throws -> TestAnswer {
    try ask("POST", path, ["Cookie": cookie, "Origin": origin], body: body)
  }

  /// Connects to the events of a page.
  func events(
    _ query: String = "", cookie: String, buffer: Int32? = nil
  ) throws -> TestConnection {
    let connection = try TestConnection(to: port, buffer: buffer)
    connection.send(
      "GET /lists/all/events\(query) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\r\n")
    return connection
  }
}

extension TestConnection {
  /// Reads an answer with its body, whose end is that of the connection.
  func answer() -> TestAnswer? {
    guard let head = read(upTo: "\r\n\r\n") else { return nil }
    let lines = head.split(whereSeparator: \.isNewline)
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return TestAnswer(status: status, headers: headers, text: readToEnd())
  }

  /// The next event of a page; nil where the connection ends.
  func event() -> (name: String, id: String?, data: String)? {
    while let text = read(upTo: "\n\n") {
      var fields: [String: String] = [:]
      for line in text.split(whereSeparator: \.isNewline) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // Lines of the encoding in chunks have no colon, and comments no name.
        if parts.count == 2, !parts[0].isEmpty {
          fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      if let data = fields["data"] { return (fields["event"] ?? "message", fields["id"], data) }
    }
    return nil
  }
}
