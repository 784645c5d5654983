import Foundation

/// Another process of this program.
enum Child {
  struct Result {
    /// The exit code, or the signal below zero.
    let status: Int32
    let output: String
  }

  /// The program itself.
  static var executable: URL {
    #if os(Linux)
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      URL(filePath: CommandLine.arguments[0])
    #endif
  }

  /// Ends this process when its parent is gone.
  static func followParent() {
    Thread.detachNewThread {
      while !FileHandle.standardInput.availableData.isEmpty {}
      exit(75)
    }
  }

  /// Runs it with arguments; it is killed when it takes longer than `seconds`.
  static func run(
    _ arguments: [String], executable: URL = executable, seconds: Double = 120
  ) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    // A crash is told by its signal; its backtrace takes seconds, and the program shows more.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    // A child whose parent is gone reads the end of this one, and ends.
    let input = Pipe()
    process.standardInput = input
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let timer = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: timer)
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    ended.wait()
    timer.cancel()
    try input.fileHandleForWriting.close()
    let status =
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return Result(status: status, output: String(decoding: data, as: UTF8.self))
  }
}
