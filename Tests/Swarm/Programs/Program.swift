/// The values of an object, by the names of its properties.
package typealias Fields = [String: Value]

/// One statement of a transaction.
package indirect enum Statement: Hashable, Sendable, Codable {
  case insert(String, Fields)
  case insertAll(String, [Fields])
  case upsert(String, Fields)
  /// An upsert that takes over what differs from an earlier value of the object.
  case merge(String, original: Fields, Fields)
  case update(String, Value, Fields)
  case updateAll(Question, Fields)
  case set(Question, String, Value)
  case delete(String, Value)
  case deleteAll(Question)
  case deleteEvery(String)
  case savepoint([Statement], fails: Bool)
  case check(Question)
}

/// The process that writes.
package enum Writer: String, Hashable, Sendable, Codable {
  /// The store at hand.
  case own
  /// Another `Store` of the same file, with fewer models.
  case other
  /// Another process.
  case child
}

/// An asynchronous write, whose closure may fail when it has done all.
package struct GroupedWrite: Hashable, Sendable, Codable {
  package var statements: [Statement]
  package var fails: Bool

  package init(_ statements: [Statement], fails: Bool = false) {
    self.statements = statements
    self.fails = fails
  }
}

/// One step of a program.
package enum Step: Hashable, Sendable, Codable {
  case write(Writer, [Statement], fails: Bool)
  /// Writes that are asked for at the same time, and may share a commit.
  case group([GroupedWrite])
  /// Another process takes places for readers, as many as there are at most, and is killed; this
  /// one writes meanwhile.
  case crowd(places: Int, [Statement])
  case reopen
  /// Opens the store with another version of its models.
  case open(version: Int)
  /// Another version writes while this one has the store open, and then this one does.
  case beside(version: Int, [Statement], [Statement])
  case compact
  case backup
  /// As a backup; the file is loaded from a dump.
  case dump
  /// The last backup takes the place of the store.
  case restore
  case observe(Question, sections: String?)
  /// Commits transactions while no observer is told of any, and observes before they are.
  case backlog([[Statement]], Question, sections: String?)
  /// Begins to follow the store's commits, or goes on to the last one.
  case follow
  case snapshot
  case rebuildIndexes
  /// Makes a private copy by a link to the store, and writes to the copy.
  case copyThroughLink([Statement])
  /// Makes a copy of the store and another store replicas of one space, and writes to the copy.
  case share(limit: Int, [Statement])
  /// Deletes everything at once.
  case erase
  /// Damages a row, opens a copy of the store in another version, and deletes the object.
  case damage(row: Int, byte: Int, version: Int)
  case ask([Question])

  /// The step's name in Swift.
  var name: String { String("\(self)".prefix { $0 != "(" }) }
}

/// A program of the swarm: what it sets, and what it does.
package struct Program: Hashable, Sendable, Codable {
  package var family: String
  package var version: Int
  /// The thresholds that are not at their standard, by module and name.
  package var thresholds: [String: Int]
  package var mapBytes: Int
  package var maxReaders: Int
  /// Whether the file is compacted before it is opened, where that is worth it.
  package var compacts: Bool
  /// Whether commits go by way of a journal.
  package var hasJournal: Bool
  package var steps: [Step]

  package init(
    family: String, version: Int = 0, thresholds: [String: Int] = [:], mapBytes: Int = 1 << 30,
    maxReaders: Int = 512, compacts: Bool = false, hasJournal: Bool = false, steps: [Step] = []
  ) {
    self.family = family
    self.version = version
    self.thresholds = thresholds
    self.mapBytes = mapBytes
    self.maxReaders = maxReaders
    self.compacts = compacts
    self.hasJournal = hasJournal
    self.steps = steps
  }
}
