import Foundation
import Synchronization

/// The most memory that the process has had since a moment, from `/proc/self/status`.
///
/// Resident memory counts the pages of the store's file that are mapped, which the system takes back when it needs
/// them; its own memory does not.
final class Memory: Sendable {
  private struct State {
    var own = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// Begins to look, some hundred times a second.
  init() {
    Thread.detachNewThread { [state = Unowned(self)] in
      while let memory = state.value, memory.look() { usleep(5_000) }
    }
  }

  private final class Unowned: @unchecked Sendable {
    // Only read, by one thread.
    private(set) weak var value: Memory?

    init(_ value: Memory) { self.value = value }
  }

  private func look() -> Bool {
    let own = Self.bytes("RssAnon:")
    return state.withLock { state in
      state.own = max(state.own, own)
      return !state.isOver
    }
  }

  /// Ends; the peaks of the process's own memory and of its resident memory, in bytes.
  func end() -> (own: Int, resident: Int) {
    let own = state.withLock { state in
      state.isOver = true
      return state.own
    }
    return (own, Self.bytes("VmHWM:"))
  }

  private static func bytes(_ field: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      // Without /proc nothing is known, and the report says 0.
      return 0
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    let words = line.split(whereSeparator: \.isWhitespace)
    return words.count > 1 ? (Int(words[1]) ?? 0) << 10 : 0
  }
}
