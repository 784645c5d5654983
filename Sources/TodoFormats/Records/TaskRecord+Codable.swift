// Written by hand, because a store keeps a record for each task that it read: most fields of most tasks are
// empty, and with all of them and their full names a record took three times the bytes.
extension TaskRecord: Codable {
  /// The key of a field: a letter for the fields that most records have, and the name for others.
  private enum CodingKeys: String, CodingKey {
    case title = "t"
    case group = "g"
    case tags = "l"
    case createdAt = "c"
    case due = "d"
    case priority = "p"
    case readingZone = "z"
    case readerVersion = "v"
    case foreignID, notes, isDone, isCancelled, doneAt, start, wait, isImportant, estimate, repeats
    case occurrence, otherOccurrences, parent, level, order, source, unknown

    /// The keys by which earlier versions have written the same fields.
    enum Earlier: String, CodingKey {
      case title, group, tags, createdAt, due, priority, readingZone, readerVersion
    }

    var earlier: Earlier? {
      switch self {
      case .title: .title
      case .group: .group
      case .tags: .tags
      case .createdAt: .createdAt
      case .due: .due
      case .priority: .priority
      case .readingZone: .readingZone
      case .readerVersion: .readerVersion
      default: nil
      }
    }
  }

  /// Reads a record; a field that is not there is as in a new one.
  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let earlier = try decoder.container(keyedBy: CodingKeys.Earlier.self)
    let isEarlier = !fields.contains(.title)
    func value<Value: Decodable>(_ key: CodingKeys, _ empty: Value) throws -> Value {
      if isEarlier, let key = key.earlier {
        return try earlier.decodeIfPresent(Value.self, forKey: key) ?? empty
      }
      return try fields.decodeIfPresent(Value.self, forKey: key) ?? empty
    }
    self.init(
      title: isEarlier
        ? try earlier.decode(String.self, forKey: .title)
        : try fields.decode(String.self, forKey: .title))
    foreignID = try value(.foreignID, nil)
    notes = try value(.notes, notes)
    group = try value(.group, nil)
    tags = try value(.tags, tags)
    isDone = try value(.isDone, isDone)
    isCancelled = try value(.isCancelled, isCancelled)
    createdAt = try value(.createdAt, nil)
    doneAt = try value(.doneAt, nil)
    due = try value(.due, nil)
    start = try value(.start, nil)
    wait = try value(.wait, nil)
    priority = try value(.priority, priority)
    isImportant = try value(.isImportant, isImportant)
    estimate = try value(.estimate, nil)
    repeats = try value(.repeats, nil)
    occurrence = try value(.occurrence, nil)
    otherOccurrences = try value(.otherOccurrences, nil)
    parent = try value(.parent, nil)
    level = try value(.level, level)
    order = try value(.order, nil)
    source = try value(.source, nil)
    readingZone = try value(.readingZone, nil)
    readerVersion = try value(.readerVersion, nil)
    unknown = try value(.unknown, unknown)
  }

  /// Writes the fields that differ from those of a new record.
  package func encode(to encoder: any Encoder) throws {
    let new = TaskRecord(title: "")
    var fields = encoder.container(keyedBy: CodingKeys.self)
    func write<Value: Encodable & Equatable>(
      _ key: CodingKeys, _ field: KeyPath<TaskRecord, Value>
    ) throws {
      if self[keyPath: field] == new[keyPath: field] { return }
      try fields.encode(self[keyPath: field], forKey: key)
    }
    try fields.encode(title, forKey: .title)
    try write(.foreignID, \.foreignID)
    try write(.notes, \.notes)
    try write(.group, \.group)
    try write(.tags, \.tags)
    try write(.isDone, \.isDone)
    try write(.isCancelled, \.isCancelled)
    try write(.createdAt, \.createdAt)
    try write(.doneAt, \.doneAt)
    try write(.due, \.due)
    try write(.start, \.start)
    try write(.wait, \.wait)
    try write(.priority, \.priority)
    try write(.isImportant, \.isImportant)
    try write(.estimate, \.estimate)
    try write(.repeats, \.repeats)
    try write(.occurrence, \.occurrence)
    try write(.otherOccurrences, \.otherOccurrences)
    try write(.parent, \.parent)
    try write(.level, \.level)
    try write(.order, \.order)
    try write(.source, \.source)
    try write(.readingZone, \.readingZone)
    try write(.readerVersion, \.readerVersion)
    try write(.unknown, \.unknown)
  }
}
