/// How lists and groups are shown on a terminal.
enum ListView: String, CaseIterable {
  /// A line for each item or group.
  case table
  /// A card for each group, and a record of several lines for each item.
  case cards

  /// The view that a word names, in either language; nil for any other word.
  init?(word: String) {
    switch word.lowercased() {
    case "table", "표": self = .table
    case "cards", "card", "카드": self = .cards
    default: return nil
    }
  }
}
