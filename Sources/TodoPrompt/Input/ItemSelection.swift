import CroftFoundation
import TodoFormats
import TodoKit

/// An item that a command names, found before anything changes.
struct SelectedItem {
  let item: TodoItem
  /// The item's number in the last list, if it has one.
  let number: Int?

  /// The item's number for answers, or its short id.
  var label: String {
    number.map(String.init) ?? ShortID.text(of: item.id, count: ShortID.countMin)
  }
}

/// Turns the words that name items into the items they mean.
///
/// A word is read as the first of these that fits:
///
/// 1. Digits only: a number of the last list, when the list is that long.
/// 2. Digits, a dash, digits: the numbers of a range, both ends included.
/// 3. Four or more hexadecimal digits: the end of an id.
///
/// Terms such as `#tag` or `is:done` name all items that satisfy them; then no word names an item.
///
/// So `1234` means the item numbered 1234 if there is one, otherwise the item whose id ends in
/// 1234. A longer ending can only be an id. An item named twice counts once.
struct ItemSelection {
  let listed: ListedItems
  let repository: any TodoRepository
  /// The conditions that terms stand for.
  let conditions: ([SearchTerm]) throws -> [ItemCondition]

  /// How many items an error shows, at most.
  private static let candidatesMax = 10

  /// All items that the words name, in their order.
  ///
  /// - Throws: The error of the first word that does not name an item, or more than one.
  /// - Complexity: O(log n) in the items for each word.
  func resolve(_ words: [String]) throws -> [SelectedItem] {
    let (terms, others) = try words.searchTerms()
    if !terms.isEmpty { return try found(terms, beside: others) }
    var seen: Set<UUID> = []
    var selected: [SelectedItem] = []
    for word in words {
      for item in try items(of: word) where seen.insert(item.item.id).inserted {
        selected.append(item)
      }
    }
    return selected
  }

  /// Whether a word after the first one names an item rather than being text.
  ///
  /// - Complexity: O(log n) in the items.
  func names(_ word: String) throws -> Bool {
    if word.isRange { return true }
    if word.isDigits, word.count < ShortID.countMin || listed.id(at: Int(word) ?? .max) != nil {
      return true
    }
    guard let ending = ShortID(word) else { return false }
    return try !items(endingIn: ending).isEmpty
  }

  /// The items that satisfy all of some terms, in their list's order.
  private func found(_ terms: [SearchTerm], beside others: [String]) throws -> [SelectedItem] {
    if let word = others.first {
      throw CommandError(
        "Name items, or words that narrow such as #tag, and not both: \"\(word.visible)\".",
        "할일을 쓰거나 #태그처럼 좁히는 말을 쓰세요. 둘을 함께 쓸 수는 없습니다: \"\(word.visible)\".", .usage)
    }
    let conditions = try conditions(terms)
    let items = try repository.items(in: .all, meeting: conditions, limit: nil)
    if items.isEmpty { throw CommandError(.nothingFound) }
    return items.map(selected)
  }

  private func items(of word: String) throws -> [SelectedItem] {
    if word.isDigits {
      let number = Int(word) ?? .max
      if let id = listed.id(at: number) { return [try numbered(number, id)] }
      if let ending = ShortID(word), let found = try item(endingIn: ending, word) { return [found] }
      throw try numberProblem(word)
    }
    if let range = try range(word) { return range }
    guard let ending = ShortID(word) else {
      throw CommandError(
        """
        "\(word.visible)" is not an item. Use a number of the list, a range such as 5-7, or an id; \
        find \(word.visible.asWord) lists items with that word.
        """,
        """
        "\(word.visible)": 목록의 번호, 5-7 같은 범위, 또는 id를 쓰세요. find \(word.visible.asWord)\(KoreanParticle.topic.form(after: word.visible)) \
        그 낱말이 있는 할일을 보여 줍니다.
        """)
    }
    guard let found = try item(endingIn: ending, word) else {
      throw CommandError(
        "No item's id ends in \"\(word.visible)\".",
        "id가 \(word.visible.inQuotes(.direction)) 끝나는 할일이 없습니다.")
    }
    return [found]
  }

  private func range(_ word: String) throws -> [SelectedItem]? {
    guard word.isRange else { return nil }
    let ends = word.split(separator: "-")
    let first = Int(ends[0]) ?? .max
    let last = Int(ends[1]) ?? .max
    if listed.count == 0 { throw try numberProblem(word) }
    if first > last {
      throw CommandError(
        "The range \"\(word.visible)\" runs backwards.", "범위 \"\(word.visible)\"의 순서가 거꾸로입니다.")
    }
    var items: [SelectedItem] = []
    // A range that leaves the list is refused before it is counted out.
    for end in [first, last] where listed.id(at: end) == nil { throw try numberProblem(word) }
    for number in first...last {
      guard let id = listed.id(at: number) else { continue }
      items.append(try numbered(number, id))
    }
    return items
  }

  private func numbered(_ number: Int, _ id: UUID) throws -> SelectedItem {
    guard let item = try repository.item(id) else {
      throw CommandError(
        "Item \(number) of the list is gone.",
        "목록의 \(number)번 할일은 이미 없습니다.")
    }
    return SelectedItem(item: item, number: number)
  }

  private func item(endingIn ending: ShortID, _ word: String) throws -> SelectedItem? {
    let found = try items(endingIn: ending)
    if found.count > 1 {
      throw CommandError(
        LocalizedText(
          "Several ids end in \"\(word.visible)\". Use a longer ending:",
          "id가 \(word.visible.inQuotes(.direction)) 끝나는 할일이 여럿입니다. 더 길게 쓰세요:"
        ).followed(by: Self.candidates(found)))
    }
    return found.first.map(selected)
  }

  private func items(endingIn ending: ShortID) throws -> [TodoItem] {
    if let id = ending.wholeID { return try repository.item(id).map { [$0] } ?? [] }
    return try repository.items(endingIn: ending)
  }

  private func selected(_ item: TodoItem) -> SelectedItem {
    SelectedItem(item: item, number: listed.number(of: item.id))
  }

  private func numberProblem(_ word: String) throws -> CommandError {
    if listed.count > 0 {
      return CommandError(
        "There is no \(word.visible) in the last list, which ends at \(listed.count).",
        "마지막 목록에 \(word.visible)번이 없습니다. 목록은 \(listed.count)번까지입니다.")
    }
    let items = try repository.items(in: .all, meeting: [], limit: Self.candidatesMax + 1)
    if items.isEmpty {
      return CommandError(
        "\"\(word.visible)\" is a number in a list, and there are no items.",
        "\"\(word.visible)\"번은 목록의 번호인데, 할일이 없습니다.")
    }
    return CommandError(
      LocalizedText(
        "\"\(word.visible)\" is a number in a list, and here no list has numbers yet. Use ls or an id:",
        "\"\(word.visible)\"번은 목록의 번호인데, 여기에는 번호가 있는 목록이 없습니다. ls나 id를 쓰세요:"
      ).followed(by: Self.candidates(items, among: try repository.tally(of: .all).total)))
  }

  /// The titles to choose from, with the shortest ids that tell them apart.
  ///
  /// - Parameter total: How many other items they are told apart from.
  private static func candidates(_ items: [TodoItem], among total: Int = 0) -> [String] {
    let count = max(ShortID.count(for: items.map(\.id)), ShortID.count(among: total))
    let lines = items.prefix(candidatesMax).map {
      "  \(ShortID.text(of: $0.id, count: count))  \($0.title.visible)"
    }
    return lines + (items.count > candidatesMax ? ["  ..."] : [])
  }
}

extension String {
  /// Whether the word is digits and nothing else, which can only be a number.
  var isDigits: Bool { !isEmpty && allSatisfy { $0.isASCII && $0.isNumber } }

  /// Whether the word looks like a number, a range or an id.
  var mayNameItems: Bool { isDigits || isRange || ShortID(self) != nil }

  /// Whether the word is two numbers with a dash between them.
  var isRange: Bool {
    let ends = split(separator: "-", omittingEmptySubsequences: false)
    return ends.count == 2 && ends.allSatisfy { String($0).isDigits }
  }
}
