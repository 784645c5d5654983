/// Where command lines come from.
protocol LineSource: AnyObject {
  /// Waits for the next line.
  ///
  /// - Parameter prompt: What to show where somebody types; empty in scripts.
  func next(prompt: String) -> LineEvent
}

/// What a line source gives.
enum LineEvent: Equatable {
  /// A line without its newline.
  case line(String)
  /// A line whose bytes are no UTF-8.
  case undecodable
  /// ^C; what had been typed is dropped.
  case interrupted(hadText: Bool)
  /// There is no more.
  case end
}

/// Lines of a plain stream: scripts, pipes, and terminals that cannot edit a line.
///
/// Threads: one.
final class PlainLines: LineSource {
  private let descriptor: FileDescriptor
  private let promptOutput: (any TextOutput)?
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var bytes: [UInt8] = []
  /// Everything before it was handed out.
  private var start = 0
  private var isAtBeginning = true

  /// - Parameter promptOutput: Where prompts are shown; nil when nobody types.
  init(_ descriptor: FileDescriptor, promptOutput: (any TextOutput)? = nil) {
    self.descriptor = descriptor
    self.promptOutput = promptOutput
  }

  func next(prompt: String) -> LineEvent {
    if let promptOutput, !prompt.isEmpty {
      // Before the prompt is there: what comes from then on is meant for this line.
      Interrupts.forget()
      promptOutput.write(prompt)
      promptOutput.flush()
    }
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return event(of: bytes[start..<end])
      }
      searched = bytes.count
      switch descriptor.read(into: &chunk) {
      case .bytes(let count):
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes += chunk[..<count]
      case .interrupted:
        return .interrupted(hadText: start < bytes.count)
      case .closed, .failed:
        // The cursor still stands behind the prompt.
        if start == bytes.count, !prompt.isEmpty { promptOutput?.write("\n") }
        return rest()
      }
    }
  }

  /// Drops what was read and not handed out.
  func discardPending() {
    start = bytes.count
  }

  /// The last line, which may lack its newline; then the end.
  private func rest() -> LineEvent {
    defer { start = bytes.count }
    return start < bytes.count ? event(of: bytes[start...]) : .end
  }

  private func event(of line: ArraySlice<UInt8>) -> LineEvent {
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if isAtBeginning, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isAtBeginning = false
    return String(validating: line, as: UTF8.self).map(LineEvent.line) ?? .undecodable
  }
}
