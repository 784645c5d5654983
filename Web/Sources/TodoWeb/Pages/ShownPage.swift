import Foundation
import TodoKit

/// What a page shows at one moment: a list, and the names and counts of all lists.
struct ShownPage: Equatable, Sendable {
  var page: ListPage
  var groups: [GroupSummary]
  var all: Tally
  var important: Tally
  var ungrouped: Tally

  /// The counts of a list; nil for a group that does not exist any more.
  func tally(of list: ItemList) -> Tally? {
    switch list {
    case .all: all
    case .important: important
    case .ungrouped: ungrouped
    case .group(let id): groups.first { $0.id == id }?.tally
    }
  }
}

/// A page as HTML, in the parts in which it is sent.
struct RenderedPage: Equatable, Sendable {
  /// One row of an item.
  struct Row: Equatable, Sendable {
    let id: String
    let isDone: Bool
    let html: String
  }

  /// What is around the rows: the lists with their counts, and the heading.
  struct Frame: Equatable, Sendable, Encodable {
    /// The name of the list; nil when it does not exist any more.
    let name: String?
    let count: String
    let lists: String
    /// How many rows are not in the page.
    let hidden: Int
  }

  var rows: [Row]
  var frame: Frame

  /// A number of this state: two states with the same number look the same.
  ///
  /// It is the 64-bit FNV-1a hash of all of it.
  var version: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
    }
    for row in rows { [row.id, row.html].forEach(mix) }
    [frame.name ?? "", frame.count, frame.lists, String(frame.hidden)].forEach(mix)
    return String(hash, radix: 16)
  }
}
