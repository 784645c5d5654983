import CroftFoundation

/// The last list that was printed, in which numbers count.
///
/// A number is a position in that list, counted from 1, until another list is printed. Deleting an
/// item leaves its number empty and moves no other.
struct ListedItems {
  /// The list of an earlier process, from its file; nil without one.
  let stored: StoredList?
  /// The items after the stored ones.
  private(set) var added: [UUID]

  /// - Parameter ids: The items in the order of their numbers; empty if no list was printed.
  init(_ ids: [UUID] = []) {
    stored = nil
    added = ids
  }

  /// A list that is in a file.
  init(_ stored: StoredList) {
    self.stored = stored
    added = []
  }

  private var storedCount: Int { stored?.count ?? 0 }

  /// How many numbers there are; 0 if no list was printed.
  var count: Int { storedCount + added.count }

  /// The items in the order of their numbers.
  ///
  /// - Complexity: O(n) in the list.
  var ids: [UUID] { (0..<storedCount).compactMap { stored?[$0] } + added }

  /// Appends an item that was just added, as if the list had been printed with it.
  mutating func append(_ id: UUID) -> Int {
    added.append(id)
    return count
  }

  func id(at number: Int) -> UUID? {
    guard number > 0, number <= count else { return nil }
    return number <= storedCount ? stored?[number - 1] : added[number - 1 - storedCount]
  }

  /// The number of an item; nil when it is not in the list.
  ///
  /// - Complexity: O(n) in the list.
  func number(of id: UUID) -> Int? {
    if let index = stored?.firstIndex(of: id) { return index + 1 }
    return added.firstIndex(of: id).map { storedCount + $0 + 1 }
  }
}
