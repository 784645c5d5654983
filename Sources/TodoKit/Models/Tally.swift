import Croft

/// How many items a list contains, and how many of them are done.
public struct Tally: Hashable, Codable, Sendable {
  /// The number of all items.
  public var total: Int
  /// The number of items that are done.
  public var done: Int

  /// Makes a tally; that of an empty list by default.
  public init(total: Int = 0, done: Int = 0) {
    self.total = total
    self.done = done
  }

  /// Makes a tally of the stored one; nil is the tally of an empty list, which is not stored.
  init(_ stored: ListTally?) {
    self.init(total: stored?.total ?? 0, done: stored?.done ?? 0)
  }

  /// The number of items that are open.
  public var undone: Int { total - done }
  /// The part that is done, from 0 to 1; 0 for an empty list.
  public var progress: Double { total == 0 ? 0 : Double(done) / Double(total) }
}

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
