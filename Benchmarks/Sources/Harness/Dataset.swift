/// The objects of a run and the arguments of its workloads, all from one fixed seed.
package struct Dataset: Sendable {
  /// The seed of every report, so that runs on different days work on the same objects.
  package static let seed: UInt64 = 0x0C20_F700
  /// Priorities run from 0 up to here, exclusive.
  package static let priorityCount = 4

  /// The objects, ids ascending from 1.
  package let items: [Item]
  /// Objects that a store does not hold at first, with the ids that follow.
  package let extras: [Item]
  /// Every id, ascending: what is changed or deleted by key is passed without its fields.
  package let ids: [Int64]
  /// Every id, in random order.
  package let shuffledIDs: [Int64]
  /// The objects that a page is read after: a hundred, or all of a smaller dataset, in random order.
  package let pageStarts: [Item]
  /// The objects of a page.
  package static let pageCount = 50
  /// How many values `groupId` has.
  package let groupCount: Int
  /// The priority whose objects are deleted by predicate: about a quarter of all.
  package let doomedPriority = 2
  /// Half of the objects were created after this time.
  package let createdAfter: Double

  /// Generates the objects.
  ///
  /// - Parameter size: how many, at least 1.
  /// - Complexity: O(size).
  package init(size: Int) {
    precondition(size > 0, "A dataset needs at least one object; pass a size of 1 or more.")
    var random = SplitMix64(seed: Dataset.seed)
    let groupCount = max(1, size / 100)
    let firstSecond = 700_000_000
    let seconds = 31_536_000
    func item(_ id: Int) -> Item {
      Item(
        id: Int64(id), text: random.text(),
        priority: random.below(Dataset.priorityCount), isDone: random.below(2) == 1,
        createdAt: Double(firstSecond + random.below(seconds)), groupId: random.below(groupCount))
    }
    items = (1...size).map(item)
    ids = items.map(\.id)
    shuffledIDs = random.shuffled(ids)
    extras = (size + 1...size + min(size, 1_000)).map(item)
    pageStarts = shuffledIDs.prefix(100).map { [items] in items[Int($0) - 1] }
    self.groupCount = groupCount
    createdAfter = Double(firstSecond + seconds / 2)
  }
}

extension SplitMix64 {
  /// 40 small letters.
  fileprivate mutating func text() -> String {
    String(decoding: (0..<40).map { _ in UInt8(97 + below(26)) }, as: UTF8.self)
  }
}
