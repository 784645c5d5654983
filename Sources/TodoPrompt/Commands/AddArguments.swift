import TodoKit

/// A new item as the words of a line describe it.
struct AddArguments: Equatable {
  var title = ""
  var priority: Priority?
  /// The name of its group.
  var group: String?
  /// The day by which it is to be done, in words.
  var due: String?
  var tags: [String] = []

  /// The signs whose text may be put in quotes.
  static let quotableSigns = ["@", "#", "due:"]

  /// Takes what a sign at its beginning sets apart from the title, such as `!h` or `#tag`.
  ///
  /// - Returns: Whether the word was such a sign; else it belongs to the title.
  mutating func takeSigil(_ word: String) throws(CommandError) -> Bool {
    if let priority = Priority(sigil: word) {
      try choose(priority)
    } else if let name = word.after("@") {
      try choose(group: name)
    } else if let day = word.after("due:") {
      try choose(due: day)
    } else if let tag = word.after("#") {
      tags.append(tag)
    } else {
      return false
    }
    return true
  }

  mutating func choose(_ priority: Priority) throws(CommandError) {
    guard self.priority == nil || self.priority == priority else {
      throw CommandError(.contradictoryPriorities, .usage)
    }
    self.priority = priority
  }

  mutating func choose(group name: String) throws(CommandError) {
    guard group == nil || group == name else { throw CommandError(.contradictoryGroups, .usage) }
    group = name
  }

  mutating func choose(due day: String) throws(CommandError) {
    guard due == nil || due == day else { throw CommandError(.contradictoryDays, .usage) }
    due = day
  }
}

extension String {
  /// What stands behind a beginning; nil without it, or with nothing behind it.
  func after(_ beginning: String) -> String? {
    guard hasPrefix(beginning) else { return nil }
    let rest = dropFirst(beginning.count)
    return rest.isEmpty ? nil : String(rest)
  }
}
