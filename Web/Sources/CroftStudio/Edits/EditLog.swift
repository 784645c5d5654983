import Synchronization

/// The last commit of the studio, which can be undone once.
///
/// Threads: any.
final class EditLog: Sendable {
  private struct State {
    var step: UndoStep?
    var said: String?
  }

  private let state = Mutex(State())

  /// The last commit; nil where there is none, or it cannot be undone.
  var step: UndoStep? { state.withLock { $0.step } }
  /// What was done last, in a sentence.
  var said: String? { state.withLock { $0.said } }

  /// Keeps a commit; nil for one that cannot be undone.
  func keep(_ step: UndoStep?, said: String) {
    state.withLock { $0 = State(step: step, said: said) }
  }
}
