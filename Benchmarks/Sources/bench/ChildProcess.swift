import Foundation
import Harness

/// The parent's end of one child: asks for rounds and takes the answers.
///
/// Threads: belongs to one thread.
final class ChildProcess: Contestant {
  let name: String
  private let process = Process()
  private let requests = Pipe()
  private let replies = Pipe()
  private var unread = Data()

  /// Starts a child of this very executable.
  ///
  /// - Parameter arguments: the word that makes it a child, and what follows it.
  init(_ name: String, _ arguments: [String]) throws {
    self.name = name
    guard let executable = Bundle.main.executableURL else { throw ChildFailure(name, "not found") }
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = requests
    process.standardOutput = replies
    try process.run()
  }

  func round() throws -> Sample { try ask(for: Sample.self) }

  /// Asks for the next answer.
  func ask<Answer: Codable>(for answer: Answer.Type) throws -> Answer {
    do {
      try requests.fileHandleForWriting.write(contentsOf: Data("next\n".utf8))
    } catch {
      // The child is gone; the missing answer tells more than the broken pipe.
    }
    switch try JSONDecoder().decode(Reply<Answer>.self, from: try nextLine()) {
    case .answer(let answer): return answer
    case .failure(let message): throw ChildFailure(name, message)
    }
  }

  /// Lets the child end and waits for it.
  func finish() throws {
    try requests.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ChildFailure(name, ending) }
  }

  /// Ends the child at once, for when another one has failed.
  func stop() {
    // Not by a signal that a child may have blocked, as those of a test's threads have.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func nextLine() throws -> Data {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return unread[..<end]
      }
      let more = replies.fileHandleForReading.availableData
      guard !more.isEmpty else {
        process.waitUntilExit()
        throw ChildFailure(name, "it ended before it answered (\(ending))")
      }
      unread.append(more)
    }
  }

  private var ending: String {
    process.terminationReason == .uncaughtSignal
      ? "signal \(process.terminationStatus)" : "exit code \(process.terminationStatus)"
  }
}

extension ChildProcess: RemoteWriter {
  func commit() throws -> UInt64 { try ask(for: UInt64.self) }
}

/// A child that could not do its part; nothing can be compared without it.
struct ChildFailure: Error, CustomStringConvertible {
  private let name: String
  private let message: String

  init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  var description: String { "engine \(name): \(message)" }
}
