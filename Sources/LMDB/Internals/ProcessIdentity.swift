#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Which process is running.
enum ProcessIdentity {
  /// The system's number of the running process.
  static var current: Int { Int(getpid()) }

  /// A process as an error names it, and what is the matter when it does not run.
  static func described(_ number: Int?) -> String {
    guard let number, number > 0 else { return "another process" }
    if number == current { return "this process" }
    // The state stands behind the program's name, which is in parentheses and may hold some.
    let state = systemText("/proc/\(number)/stat").split(separator: ")").last?.first { $0 != " " }
    let isStopped = state == "T" || state == "t"
    return "process \(number)" + (isStopped ? " (which is stopped: continue or end it)" : "")
  }

  /// The text of a file in which the system tells of itself; empty where there is none.
  static func systemText(_ path: String) -> String {
    let (descriptor, code) = FileCalls.open(path, O_RDONLY | O_CLOEXEC)
    guard code == 0 else { return "" }
    defer { FileCalls.close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      // Safety: the buffer has as many bytes as it says.
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe FileCalls.read(descriptor, into: $0, at: text.count).count
      }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }
}
