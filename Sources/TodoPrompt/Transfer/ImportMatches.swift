import CroftFoundation
import Presentation
import TodoFormats
import TodoKit

/// The stored item of each task of a file.
///
/// A task with an id is the item of that id. A task without one is compared in steps, first by
/// everything it says, then by its group and title, last by its title alone where nothing else can be
/// meant. So tasks with one title in two groups keep their items, in whatever order a file has them.
struct ImportMatches {
  /// The item of each task, by the index of the task; a new task has none.
  private(set) var items: [Int: TodoItem] = [:]
  /// The indices of the tasks whose id an earlier one of the file has.
  private(set) var repeated: Set<Int> = []

  /// - Throws: `DecodingError` where a later version has written the record of an item.
  /// - Complexity: O(*n* + *k* *m*) for *n* tasks, which leave out *k* sets of fields, and *m* items.
  init(of source: ImportSource) throws {
    let stored = source.items
    let records = source.records(in: source.options.timeZone)
    var byKey: [String: TodoItem] = [:]
    var byID: [UUID: TodoItem] = [:]
    for item in stored {
      if let key = item.foreignID { byKey[ImportKey.normalized(key)] = item }
      byID[item.id] = item
    }
    var keys: Set<String> = []
    var taken: Set<UUID> = []
    var tasks: [Int] = []
    var isExport = false
    for (index, record) in records.enumerated() {
      guard let id = record.foreignID, let key = ImportKey.key(ofID: record, in: source.format)
      else {
        tasks.append(index)
        continue
      }
      // An occurrence has the id of its recurrence, unless the file is our own.
      let hasOwnID = record.occurrence == nil || [.json, .ndjson].contains(source.format)
      let own = hasOwnID ? UUID(uuidString: id).flatMap { byID[$0] } : nil
      let item = byKey[key] ?? own
      // Only an export has the id of an item that came from no file.
      if let own, own.foreignID == nil { isExport = true }
      let isNew = keys.insert(key).inserted
      if !isNew || item.map({ !taken.insert($0.id).inserted }) ?? false {
        repeated.insert(index)
      } else {
        items[index] = item
      }
    }
    if tasks.isEmpty { return }
    let format = source.format
    let titles = Set(tasks.map { Self.words(of: records[$0].title) })
    let rest = stored.filter { item in
      if taken.contains(item.id) { return false }
      if let key = item.foreignID, ImportKey.format(of: key) == format {
        return ImportKey.hasNoID(key)
      }
      // A file of Todoist has no ids at all, so an item from elsewhere may come back in one.
      return format == .todoist && titles.contains(Self.words(of: item.title))
    }
    items.merge(
      try ImportPairing.pairs(of: tasks, with: rest, in: source, isExport: isExport)
    ) { $1 }
  }

  /// The words of a title that Todoist takes for neither a label nor a sign.
  private static func words(of title: String) -> [Substring] {
    title.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("@") && $0 != "*" }
  }
}

/// Tasks without ids and the items that they may be, while pairs of them are found.
private struct ImportPairing {
  private var source: ImportSource
  private var tasks: [Int]
  private var items: [TodoItem]
  private var found: [Int: TodoItem] = [:]
  private var unchangedCount = 0

  /// What of an item a task is compared with.
  private enum Side {
    /// The record of the last import.
    case kept
    /// The record that an export would have now.
    case exported
  }

  /// The parts of a record by which a task that was changed is known.
  private struct Name: Hashable {
    var group: String?
    let title: String
    let createdAt: Date?
    var isDone: Bool?

    init(_ record: TaskRecord) {
      group = record.group
      title = record.title
      createdAt = record.createdAt
      isDone = record.isDone || record.isCancelled
    }

    func without<Part>(_ part: WritableKeyPath<Self, Part?>) -> Self {
      var name = self
      name[keyPath: part] = nil
      return name
    }
  }

  /// Pairs tasks and items.
  ///
  /// The file may be an old one, or an export of the items as they are now: whichever explains more.
  ///
  /// - Parameter isExport: Whether the file is known to be an export.
  static func pairs(
    of tasks: [Int], with items: [TodoItem], in source: ImportSource, isExport: Bool
  ) throws -> [Int: TodoItem] {
    let start = Self(source: source, tasks: tasks, items: items)
    var old = start
    try old.pair(in: [.kept, .exported])
    if old.unchangedCount == tasks.count { return old.found }
    var new = start
    try new.pair(in: [.exported, .kept])
    let (oldCounts, newCounts) = (old.counts, new.counts)
    return newCounts > oldCounts || isExport && newCounts == oldCounts ? new.found : old.found
  }

  /// How many tasks have an item, and how many of them have not changed.
  private var counts: (Int, Int) { (found.count, unchangedCount) }

  private mutating func pair(in sides: [Side]) throws {
    for side in sides { try pair(side, by: \.comparable) }
    unchangedCount = found.count
    // Only an unchanged task may be an item that was not imported from this format.
    items.removeAll { ImportKey.format(of: $0.foreignID) != source.format }
    for side in sides { try pair(side) { Name($0) } }
    for side in sides { try pair(side) { Name($0).without(\.isDone) } }
    for side in sides { try pair(side, onlyAll: true) { Name($0).without(\.group) } }
  }

  private init(source: ImportSource, tasks: [Int], items: [TodoItem]) {
    self.source = source
    self.tasks = tasks
    self.items = items
  }

  /// Pairs tasks and items of the same key, in their orders.
  ///
  /// - Parameter onlyAll: Whether to pair only where as many tasks as items have the key.
  private mutating func pair<Key: Hashable>(
    _ side: Side, onlyAll: Bool = false, by key: (TaskRecord) -> Key
  ) throws {
    // An item is compared with a task in what the file says of the task.
    for omissions in tasks.map({ source.omissions[$0] }).unique {
      try pair(side, onlyAll: onlyAll, omissions) { key($0.without(omissions)) }
    }
  }

  private mutating func pair<Key: Hashable>(
    _ side: Side, onlyAll: Bool, _ omissions: Omissions, by key: (TaskRecord) -> Key
  ) throws {
    if tasks.isEmpty || items.isEmpty { return }
    // A record is compared with the file as it is read in the time zone of the record.
    var keysByZone: [String: [Key: [TodoItem]]] = [:]
    for item in items {
      let record = try side == .kept ? source.kept(item) : source.exported(item)
      guard let record else { continue }
      let zone = record.timeZone(of: source.options.timeZone).identifier
      keysByZone[zone, default: [:]][key(record), default: []].append(item)
    }
    for (name, itemsByKey) in keysByZone.sorted(by: { $0.key < $1.key }) {
      let zone = TimeZone(identifier: name) ?? source.options.timeZone
      let tasks = tasks.filter { found[$0] == nil && source.omissions[$0] == omissions }
      let tasksByKey = Dictionary(grouping: tasks) { key(source.record($0, in: zone)) }
      for (key, tasks) in tasksByKey {
        guard let items = itemsByKey[key], !onlyAll || items.count == tasks.count else { continue }
        for (task, item) in zip(tasks, items) { found[task] = item }
      }
    }
    tasks.removeAll { found[$0] != nil }
    let ids = Set(found.values.map(\.id))
    items.removeAll { ids.contains($0.id) }
  }
}

extension TaskRecord {
  /// The properties that other programs compute for each file.
  private static let computedNames: [TaskFormat: Set<String>] = [
    .taskwarrior: ["urgency", "id"], .vtodo: ["DTSTAMP"],
  ]

  /// The record without what may differ although the task has not changed.
  var comparable: TaskRecord {
    var record = self
    record.readingZone = nil
    record.readerVersion = nil
    if let source, let names = Self.computedNames[source] {
      record.unknown.removeAll { names.contains($0.name) }
      if record.unknown.isEmpty { record.source = nil }
    }
    return record
  }
}
