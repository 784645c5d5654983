/// A store whose queries are watched: the same verbs for all, each written as its users would.
///
/// Nothing waits for the disk, so that the cost of watching shows beside that of a commit.
/// Threads: an engine belongs to one thread; what it delivers comes on queues of its own.
package protocol LiveEngine: AnyObject, SendableMetatype {
  /// The name in reports.
  static var name: String { get }
  /// Whether it says how a result became another one, and not only what it is.
  static var tellsDifferences: Bool { get }

  /// Versions and sync settings, for the head of a report.
  ///
  /// - Throws: what the engine throws when it cannot tell.
  static func about() throws -> About

  /// Makes a store with some objects and opens it.
  init(at path: String, holding items: [Item]) throws

  /// Closes the store.
  func close() throws

  /// Gives stored objects, known by their ids, other values of some fields, in one commit.
  func update(_ fields: LiveFields, of items: [Item]) throws

  /// Delivers the result of a query now and after each commit that changed it.
  ///
  /// - Returns: what ends it when it goes.
  func observe(_ query: LiveQuery, into inbox: Inbox) throws -> AnyObject
}

/// A query that is watched.
package enum LiveQuery: Sendable, Hashable {
  /// All objects, by `createdAt` and then by id.
  case all
  /// The objects of one group, by id.
  case group(Int)
  /// How many objects have a priority.
  case count(priority: Int)
  /// The sum of all priorities.
  case sumOfPriorities
  /// How many objects each group has, by the groups' numbers.
  case groupCounts
  /// The number of objects, the sum of all priorities, and the sums by groups and by months, of one commit.
  ///
  /// - Parameter isReadAgain: Whether one closure reads all of them, where an engine has another way too.
  case dashboard(isReadAgain: Bool)

  /// Whether its result is numbers.
  var isAggregate: Bool {
    switch self {
    case .all, .group: false
    case .count, .sumOfPriorities, .groupCounts, .dashboard: true
    }
  }
}
