import Croft
import CroftFoundation

/// Some rows of a command that changed many, as the store keeps them.
///
/// Undo takes the last portion first, redo the first one. Portions have no limit of bytes: the
/// rows that they bring back were in the store as well.
@Model
struct LoggedPortion: Hashable, Sendable {
  /// The number of the command, and in the last 24 bits that of the portion.
  @PrimaryKey var id: Int64
  /// The commands that undo it, as JSON that is compressed; see ``DeflatedData``.
  var undo: Data
  /// The commands that redo it, in the same way.
  var redo: Data

  static func key(_ command: Int64, _ portion: Int64) -> Int64 { command << 24 | portion }
}
