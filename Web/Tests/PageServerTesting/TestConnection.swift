import Foundation

/// One connection to a server, which waits for what it reads.
///
/// Threads: one at a time, so that nothing needs a lock; a test hands it from one to the next.
package final class TestConnection: @unchecked Sendable {
  private let descriptor: Int32
  private var read: [UInt8] = []
  /// Whether the other side has ended the connection; it may as well send nothing.
  package private(set) var isEnded = false
  /// How many bytes have come.
  package private(set) var bytesRead = 0

  /// Connects; what does not come within a minute is an error.
  ///
  /// - Parameters:
  ///   - host: The address of the server.
  ///   - buffer: The size of the buffer of the system for what comes; nil for the usual one.
  package init(to port: Int, at host: String = "127.0.0.1", buffer: Int32? = nil) throws {
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
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes.
  ///
  /// - Returns: Whether the other side took all of them.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
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
  package func read(upTo end: String) -> String? {
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
  package func read(count: Int) -> String? {
    while read.count < count { if !receive() { return nil } }
    defer { read.removeFirst(count) }
    return String(decoding: read[..<count], as: UTF8.self)
  }

  /// What comes until the connection ends.
  package func readToEnd() -> String {
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

extension TestConnection {
  /// Reads an answer with its body, whose end is that of the connection.
  package func answer() -> TestAnswer? {
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
}
