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

  /// A process at work.
  final class Running {
    private let process = Process()
    private let pipe = Pipe()
    // A child whose parent is gone reads the end of this one, and ends.
    private let input = Pipe()
    private let ended = DispatchSemaphore(value: 0)
    private var isOver = false

    init(_ arguments: [String], executable: URL = executable) throws {
      process.executableURL = executable
      process.arguments = arguments
      // A crash is told by its signal; its backtrace takes seconds, and the program shows more.
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardOutput = pipe
      process.standardError = pipe
      process.standardInput = input
      process.terminationHandler = { [ended] _ in ended.signal() }
      try process.run()
    }

    /// Its number.
    var number: Int { Int(process.processIdentifier) }

    /// The next line that it says; nil at the end.
    func readLine() -> String? {
      var bytes = Data()
      while true {
        // What cannot be read is the end: the child is gone.
        guard let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first else {
          return nil
        }
        if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(byte)
      }
    }

    /// What else it says, until it ends.
    func rest() -> String {
      String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Kills it, and waits until it is gone.
    func kill() {
      guard !isOver else { return }
      isOver = true
      _ = Foundation.kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }

    /// Waits for its end; it is killed when it takes longer than `seconds`.
    func result(seconds: Double) throws -> Result {
      let number = process.processIdentifier
      let timer = DispatchWorkItem { _ = Foundation.kill(number, SIGKILL) }
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: timer)
      let output = rest()
      ended.wait()
      isOver = true
      timer.cancel()
      try input.fileHandleForWriting.close()
      let status =
        process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
      return Result(status: status, output: output)
    }
  }

  /// Runs it with arguments; it is killed when it takes longer than `seconds`.
  static func run(
    _ arguments: [String], executable: URL = executable, seconds: Double = 120
  ) throws -> Result {
    try Running(arguments, executable: executable).result(seconds: seconds)
  }
}
