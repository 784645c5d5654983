import Foundation

/// A socket that takes connections on this machine.
///
/// Threads: one at a time.
final class TestListener: @unchecked Sendable {
  let descriptor: Int32
  let port: Int

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) + listen(descriptor, 16)
          + getsockname(descriptor, address, &size)
      }
    }
    if descriptor < 0 || code != 0 { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(in_port_t(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  /// Waits for a connection.
  func accept() -> Int32 { Glibc.accept(descriptor, nil, nil) }
}
