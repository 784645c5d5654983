import Croft

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One command that can be undone, or done again, as the store keeps it.
@Model
struct LoggedCommand: Hashable, Sendable {
  /// Its place in the history: numbers follow each other without gaps.
  @PrimaryKey var number: Int64
  /// What was asked, as JSON of a `TodoIntent`.
  var intent: Data
  /// What takes it back, as JSON of a list of intents.
  var undo: Data
  /// What does it again, exactly as it was done, as JSON of a list of intents.
  var redo: Data
  /// The bytes of all commands up to this one, those included that have been forgotten.
  var bytesUpToHere: Int64
  /// Whether it has been taken back.
  var isUndone: Bool = false

  /// The bytes of this command.
  var byteCount: Int64 { Int64(intent.count + undo.count + redo.count) }
}
