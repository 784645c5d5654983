import Croft

/// A list's tally as the store keeps it, changed in the transaction that changes the list.
///
/// Apart from the group, so that marking an item done does not write its group's picture.
@Model
struct ListTally: Hashable, Sendable {
  /// Which list; see `ItemList.tallyKey`.
  @PrimaryKey var list: String
  var total: Int = 0
  var done: Int = 0
}
