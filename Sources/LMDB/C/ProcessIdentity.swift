internal import CroftLibc

/// The running process.
enum ProcessIdentity {
  /// The system's number of the running process.
  static var current: Int { Int(getpid()) }

  /// The words for a process in an error, with a remark when it is stopped.
  static func described(_ number: Int?) -> String {
    guard let number, number > 0 else { return "another process" }
    if number == current { return "this process" }
    // The state follows the program's name, which is in parentheses and may contain some.
    let state = systemText("/proc/\(number)/stat").split(separator: ")").last?.first { $0 != " " }
    let isStopped = state == "T" || state == "t"
    return "process \(number)" + (isStopped ? " (which is stopped: continue or end it)" : "")
  }

  /// The text of a file of the system; empty where there is none.
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

/// The running OS thread, for comparison only.
struct ThreadIdentity: Equatable, Sendable {
  private let number: UInt

  /// The running thread.
  static var current: ThreadIdentity {
    #if canImport(Glibc)
      ThreadIdentity(number: UInt(pthread_self()))
    #else
      // Safety: the pointer is compared as a number and never followed.
      unsafe ThreadIdentity(number: UInt(bitPattern: pthread_self()))
    #endif
  }
}

/// The size of the system's memory pages.
var systemPageBytes: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }
