import Croft
import CroftFoundation

/// The id of an item with its digits in the opposite order, by which short ids are found.
///
/// It is stored and deleted with its item.
@Model
struct ItemEnding: Hashable, Sendable {
  /// The reversed id.
  @PrimaryKey var reversed: UUID
}
