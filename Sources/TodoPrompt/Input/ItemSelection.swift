import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An item that a command names, found before anything happens.
struct SelectedItem {
  let item: TodoItem
  /// The item's number in the last list, if it has one.
  let number: Int?

  /// What stands before the title in answers: the number, or a short id.
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
/// So `1234` means the item numbered 1234 where there is one, else the item whose
/// id ends so; a longer ending says which is meant. An item named twice counts once.
struct ItemSelection {
  let listed: ListedItems
  let repository: any TodoRepository

  /// How many items a refusal shows, at most.
  private static let candidatesMax = 10

  /// All items that the words name, in their order.
  ///
  /// - Throws: The problem with the first word that names none, or more than one.
  /// - Complexity: O(words) reads by number or whole id; an ending reads all items once.
  func resolve(_ words: [String]) throws(CommandError) -> [SelectedItem] {
    var seen: Set<UUID> = []
    var selected: [SelectedItem] = []
    for word in words {
      for item in try items(of: word) where seen.insert(item.item.id).inserted {
        selected.append(item)
      }
    }
    return selected
  }

  private func items(of word: String) throws(CommandError) -> [SelectedItem] {
    if word.isDigits {
      let number = Int(word) ?? .max
      if let id = listed.id(at: number) { return [try numbered(number, id)] }
      if let ending = ShortID(word), let found = try item(endingIn: ending, word) { return [found] }
      throw try numberProblem(word)
    }
    if let range = try range(word) { return range }
    guard let ending = ShortID(word) else { throw CommandError(.notAnItem(word)) }
    guard let found = try item(endingIn: ending, word) else { throw CommandError(.noSuchID(word)) }
    return [found]
  }

  private func range(_ word: String) throws(CommandError) -> [SelectedItem]? {
    guard word.isRange else { return nil }
    let ends = word.split(separator: "-")
    let first = Int(ends[0]) ?? .max
    let last = Int(ends[1]) ?? .max
    if listed.count == 0 { throw try numberProblem(word) }
    if first > last { throw CommandError(.backwardRange(word)) }
    var items: [SelectedItem] = []
    // A range that leaves the list is refused before it is counted out.
    for end in [first, last] where listed.id(at: end) == nil { throw try numberProblem(word) }
    for number in first...last {
      guard let id = listed.id(at: number) else { continue }
      items.append(try numbered(number, id))
    }
    return items
  }

  private func numbered(_ number: Int, _ id: UUID) throws(CommandError) -> SelectedItem {
    guard let item = try read({ try repository.item(id) }) else {
      throw CommandError(.itemGone(String(number)))
    }
    return SelectedItem(item: item, number: number)
  }

  private func item(endingIn ending: ShortID, _ word: String) throws(CommandError) -> SelectedItem?
  {
    if let id = ending.wholeID {
      return try read { try repository.item(id) }.map(selected)
    }
    let found = try read { try repository.items(.all) }.filter { ending.matches($0.id) }
    if found.count > 1 {
      throw CommandError(.ambiguousID(word, candidates: Self.candidates(found)))
    }
    return found.first.map(selected)
  }

  private func selected(_ item: TodoItem) -> SelectedItem {
    SelectedItem(item: item, number: listed.number(of: item.id))
  }

  private func numberProblem(_ word: String) throws(CommandError) -> CommandError {
    if listed.count > 0 { return CommandError(.numberOutsideList(word, count: listed.count)) }
    let items = try read { try repository.items(.all) }
    return CommandError(.numberWithoutList(word, candidates: Self.candidates(items)))
  }

  /// The ids and titles to choose from, shortest ids that tell them apart.
  private static func candidates(_ items: [TodoItem]) -> [String] {
    let count = ShortID.count(for: items.map(\.id))
    let lines = items.prefix(candidatesMax).map {
      "  \(ShortID.text(of: $0.id, count: count))  \($0.title.visible)"
    }
    return lines + (items.count > candidatesMax ? ["  ..."] : [])
  }

  private func read<Value>(_ body: () throws -> Value) throws(CommandError) -> Value {
    do { return try body() } catch { throw CommandError(storage: error) }
  }
}
