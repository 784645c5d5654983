/// A store under measurement: the same verbs for all, each written the way its users would.
///
/// Every writing verb is one durable transaction whose commit is part of the verb. Verbs loop
/// inside the engine, so that no call through this protocol is made per object.
/// Threads: an engine belongs to one thread.
package protocol Engine: AnyObject, SendableMetatype {
  /// The name in reports.
  static var name: String { get }

  /// Versions and sync settings, for the head of a report.
  ///
  /// - Throws: what the engine throws when it cannot tell.
  static func about() throws -> About

  /// Turns the dataset into the engine's own objects; nothing is opened yet.
  init(_ dataset: Dataset, schema: Schema)

  /// Opens or creates the store at a path, ready to use: what this makes is committed.
  func open(at path: String) throws

  /// Closes the store and lets its files come to rest.
  func close() throws

  /// Inserts all objects in the order of the dataset.
  func insertAll() throws

  /// Empties the store.
  func deleteAll() throws

  /// Deletes by predicate.
  ///
  /// - Returns: how many objects went.
  func deleteAll(priority: Int) throws -> Int

  /// Deletes every object of the dataset one by one, by key, in the order of the dataset.
  ///
  /// - Returns: how many objects went.
  func deleteEach() throws -> Int

  /// Turns `isDone` round on every object, by key, in the order of the dataset; no index holds it.
  func toggleEach() throws

  /// Gives every object the next priority, which an index holds, by key, in the order of the dataset.
  func raiseEach() throws

  /// Inserts the dataset's extra objects, each in a durable transaction of its own.
  func insertSingly() throws

  /// Inserts the dataset's extra objects, each durably and all asked for at once.
  ///
  /// An engine without such a thing inserts them one after another.
  func insertAtOnce() throws

  /// Reads every object by key in the dataset's shuffled order, within one read transaction.
  ///
  /// The decoded objects are kept for `takeResults`.
  func readEach() throws

  /// Reads all objects of the store, whatever they are; they are kept for `takeResults`.
  func scan() throws

  /// Counts the objects that are not done and were created after a time; no index helps.
  func countOpen(createdAfter: Double) throws -> Int

  /// Reads the first objects, latest first, of those not done and created after a time.
  ///
  /// No index helps. They are kept for `takeResults`.
  func readLatestOpen(createdAfter: Double, limit: Int) throws

  /// Reads the objects of each group, one indexed query a group; they are kept for `takeResults`.
  func readGroups() throws

  /// Reads a page after each of the dataset's page starts; the objects are kept for `takeResults`.
  ///
  /// The order is that of the priority, and of the key where priorities are equal; the index of the priority has
  /// both. Each page is a query of its own.
  func readPages() throws

  /// Counts the objects of each group by its index, one query a group.
  ///
  /// - Returns: the sum of the counts.
  func countGroups() throws -> Int

  /// Counts the objects of one priority, by its index.
  func count(priority: Int) throws -> Int

  /// Counts the objects of one group, by its index.
  func count(groupId: Int) throws -> Int

  /// Gives away the objects that the last reading verb kept.
  func takeResults() -> [Item]
}

/// The trees or tables that a store is opened with.
package enum Schema: Sendable, Hashable {
  /// No index beside the key.
  case plain
  /// Indexes on `priority` and on `groupId`, maintained by every change.
  case indexed
  /// The same indexes, and random 16-byte keys: `Item.uuid`.
  case uuid
}

/// What the head of a report says of an engine.
package struct About: Sendable, Hashable {
  /// Libraries with their versions, like "SQLite 3.40.1".
  package var versions: String
  /// What makes a commit durable.
  package var sync: String

  /// Describes an engine.
  package init(versions: String, sync: String) {
    self.versions = versions
    self.sync = sync
  }
}
