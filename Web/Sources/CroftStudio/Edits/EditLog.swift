import Synchronization

/// The last commit of the studio, which can be undone once.
///
/// Threads: any.
final class EditLog: Sendable {
  /// What was done last.
  struct Entry {
    /// The commit; nil where it cannot be undone.
    let step: UndoStep?
    /// What was done, in a sentence.
    let said: String
    /// The text by which the address of the page after it names it, as no other entry has.
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
  }

  private let state = Mutex<Entry?>(nil)

  /// What was done last; nil where nothing was.
  var last: Entry? { state.withLock { $0 } }

  /// Keeps a commit; nil for one that cannot be undone.
  ///
  /// - Returns: The mark of the entry.
  func keep(_ step: UndoStep?, said: String) -> String {
    let entry = Entry(step: step, said: said)
    state.withLock { $0 = entry }
    return entry.mark
  }
}
