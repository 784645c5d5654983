import Foundation
import Synchronization

/// Takes one connection and passes its bytes to a server and back, until it is told to stop.
///
/// Threads: any; each direction has a thread of its own.
final class TestRelay: Sendable {
  private struct State {
    var sent = 0
    /// How many bytes are passed in all; those after them are read and kept.
    var limit = Int.max
    var server: Int32 = -1
    var client: Int32 = -1
  }

  let port: Int
  private let state = Mutex(State())
  private let (stops, stop) = AsyncStream<Void>.makeStream()

  /// How many bytes the server was sent.
  var sent: Int { state.withLock(\.sent) }

  init(to cluster: TestCluster) throws {
    let listener = try TestListener()
    port = listener.port
    let path = cluster.folder.appending(path: ".s.PGSQL.\(cluster.port)").path
    Thread.detachNewThread { [self] in
      let client = listener.accept()
      let server = Self.connect(to: path)
      state.withLock { ($0.server, $0.client) = (server, client) }
      Thread.detachNewThread {
        Self.copy(from: server) { bytes in Self.write(bytes, to: client) }
        shutdown(client, Int32(SHUT_RDWR))
      }
      Self.copy(from: client) { [self] bytes in
        let passed = state.withLock { state in
          let count = min(bytes.count, max(0, state.limit - state.sent))
          state.sent += count
          return bytes.prefix(count)
        }
        Self.write(passed, to: server)
        if state.withLock({ $0.sent == $0.limit }) { stop.yield() }
      }
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  /// Passes that many more bytes to the server.
  func stop(after count: Int) {
    state.withLock { $0.limit = $0.sent + count }
  }

  /// Waits until the bytes up to the limit were passed, and the server has read them.
  func waitUntilStopped() async {
    var stops = stops.makeAsyncIterator()
    _ = await stops.next()
    let server = state.withLock(\.server)
    var unread: Int32 = 1
    // SIOCOUTQ: what the other end of a local socket has not read.
    while unread > 0, ioctl(server, UInt(TIOCOUTQ), &unread) == 0 {}
  }

  /// Ends both connections.
  func close() {
    let (server, client) = state.withLock { ($0.server, $0.client) }
    shutdown(server, Int32(SHUT_RDWR))
    shutdown(client, Int32(SHUT_RDWR))
  }

  private static func connect(to path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return descriptor
  }

  private static func copy(from descriptor: Int32, _ take: (ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { return }
      take(buffer[..<count])
    }
  }

  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
