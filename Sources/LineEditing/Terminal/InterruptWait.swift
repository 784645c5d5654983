import CroftLibc

/// Waits for ^C, or until another thread has something to show.
///
/// While there is one, ^C does not end the process. A signal that asks for its end does so after
/// ``end()``.
///
/// Threads: one; ``wake()`` and ``isEnding`` may be used from any.
public struct InterruptWait {
  private let signals = EditorSignals()

  /// Begins to wait.
  public init() {}

  /// Waits.
  ///
  /// - Returns: Whether ``wake()`` was called; false after ^C, and after a signal that asks for the
  ///   end.
  public func next() -> Bool {
    while true {
      switch signals.wait() {
      case .wake: return true
      case .signal(SIGWINCH), .input: continue
      case .signal(let number):
        end()
        if number != SIGINT { raise(number) }
        return false
      }
    }
  }

  /// Ends the waiting: ^C does again what it did before.
  public func end() { signals.restore() }

  /// Whether ^C, or a signal that asks for the end, came since ``init()``; false after ``end()``.
  ///
  /// A long work between two waits asks for it, and ends early.
  public static var isEnding: Bool { EditorSignals.isEnding }

  /// Ends one wait, now or the next one.
  public static func wake() { EditorSignals.wake() }
}
