import TodoKit

/// The commands that delete items.
///
/// One command takes a deletion back, so one or two items go unasked. Only more, and groups, are asked
/// about. Where nobody can be asked, what deletes must say that it is meant.
extension Session {
  /// How many items go unasked.
  private static let unaskedMax = 2

  func remove(_ targets: [String]) throws(CommandError) {
    let selected = try select(targets)
    let titles = selected.map { "  \($0.label)  \($0.item.title.visible)\n" }
    if selected.count > Self.unaskedMax || questions == nil {
      try confirm(.deleteQuestion(selected.count), showing: titles, command: "rm")
    }
    let change = try perform(.delete(selected.map(\.item.id)), on: selected.map(\.item))
    var told = 0
    try say(change.items, as: selected) { _, item in
      told += 1
      return .deleted(
        item.title.visible, isLast: told == change.items.count, count: change.items.count)
    }
  }

  /// Deletes what a list held when it was asked about.
  func removeAll(_ name: String?) throws(CommandError) {
    let selected = try selectList(name)
    let items = try read { repository throws in try repository.items(in: selected.list, .all) }
    if items.isEmpty {
      if preferences.output == .json { try sayList([], numbers: []) }
      return hint(.nothingToDelete(in: name == nil ? nil : selected.name.visible))
    }
    if !preferences.assumesYes {
      guard let questions else { throw CommandError(.deletingNeedsYes("rm --all")) }
      let question = LocalizedText.deleteAllQuestion(
        name == nil ? nil : selected.name.visible, items.count)
      guard questions.confirm(question, byTyping: items.count) else {
        throw CommandError(.nothingDeleted)
      }
    }
    let change = try perform(.delete(items.map(\.id)), on: items)
    switch preferences.output {
    case .table: say(.deletedAll(change.items.count))
    case .json:
      try sayList(change.items, numbers: change.items.map { listed.number(of: $0.id) })
    }
  }

  /// Shows what would be deleted and asks; throws unless the answer is yes.
  func confirm(
    _ question: LocalizedText, showing titles: [String] = [], command: String
  ) throws(CommandError) {
    if preferences.assumesYes { return }
    guard let questions else { throw CommandError(.deletingNeedsYes(command)) }
    surroundings.output.flush()
    surroundings.messages.write(titles.joined())
    guard questions.confirm(question) else { throw CommandError(.nothingDeleted) }
  }
}
