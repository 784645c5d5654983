#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The last list that was printed: what a number means.
///
/// A number is a position in that list, counted from 1, until another one is
/// printed. Deleting an item leaves its number empty and moves no other.
struct ListedItems: Equatable {
  private(set) var ids: [UUID]

  /// - Parameter ids: The items in the order of their numbers; none when nothing was printed.
  init(_ ids: [UUID] = []) {
    self.ids = ids
  }

  /// How many numbers there are; 0 when nothing was printed.
  var count: Int { ids.count }

  /// Puts an item that was just added at the end, as if the list had been printed with it.
  ///
  /// - Returns: Its number.
  mutating func append(_ id: UUID) -> Int {
    ids.append(id)
    return ids.count
  }

  /// The item with a number; nil when the list has no such number.
  func id(at number: Int) -> UUID? {
    (1...max(1, ids.count)).contains(number) && !ids.isEmpty ? ids[number - 1] : nil
  }

  /// The number of an item; nil when it is not in the list.
  ///
  /// - Complexity: O(n) in the list.
  func number(of id: UUID) -> Int? {
    ids.firstIndex(of: id).map { $0 + 1 }
  }
}
