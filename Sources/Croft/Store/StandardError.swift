#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where a line goes that nobody else has asked for.
enum StandardError {
  /// Writes a line, under the module's name.
  static func write(_ line: String) {
    let bytes = Array("croft: \(line)\n".utf8)
    // Safety: the call reads as many bytes as there are. What cannot be written is lost, because
    // there is no other place to say so.
    _ = unsafe bytes.withUnsafeBytes { unsafe writeBytes($0) }
  }
}

/// The corresponding C function is `write`, whose name is taken where it is called.
private func writeBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
  // Safety: the buffer holds as many bytes as it says.
  unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
}
