import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A web server on 127.0.0.1 that answers as a test tells it, on a port of its own.
///
/// It handles one connection after another on a thread, and ends with its owner.
final class LocalServer: Sendable {
  struct Request: Sendable {
    let path: String
    let headers: [String: String]
  }

  struct Reply: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body = Data()
    /// What is said of the body's length: nothing, or something else than the truth.
    var length: Int?
    /// Whether the connection is left open after the body, and nothing more is sent.
    var stalls = false
  }

  struct SystemFailure: Error {
    var code = errno
  }

  let port: Int
  private let listener: Int32
  private let log = Mutex<[Request]>([])

  /// What was asked so far.
  var requests: [Request] { log.withLock { $0 } }
  var url: URL? { URL(string: "http://127.0.0.1:\(port)") }

  init(answering reply: @escaping @Sendable (Request, _ port: Int) -> Reply) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let outcome = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard listener >= 0, outcome else { throw SystemFailure() }
    let port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    self.port = port
    let thread = Thread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 {
          close(listener)
          return
        }
        Self.serve(connection) { request in
          self?.log.withLock { $0.append(request) }
          return reply(request, port)
        }
      }
    }
    thread.start()
  }

  deinit {
    // Accepting ends with an error, and with it the thread, which closes the socket: closed
    // here, its number could be another server's by the time the thread looks again.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// A client that hangs up must not end the test program with a signal.
  private static var sendFlags: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  private static func serve(_ connection: Int32, _ answer: (Request) -> Reply) {
    defer { close(connection) }
    guard let request = read(connection) else { return }
    let reply = answer(request)
    var head = "HTTP/1.1 \(reply.status) Status\r\nConnection: close\r\n"
    if let length = reply.length { head += "Content-Length: \(length)\r\n" }
    for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
    let bytes = Array((head + "\r\n").utf8) + Array(reply.body)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Self.sendFlags)
      }
      // The client has hung up, as it does when it has seen enough.
      if count <= 0 { return }
      sent += count
    }
    if reply.stalls {
      // Until the client hangs up.
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
    }
  }

  private static func read(_ connection: Int32) -> Request? {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !text.contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { return nil }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let lines = text.components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers[line[..<colon].lowercased()] = value
    }
    let words = lines[0].split(separator: " ")
    return words.count == 3 ? Request(path: String(words[1]), headers: headers) : nil
  }
}
