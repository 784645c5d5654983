// Written by hand, because a store keeps a record for each task that it read, and most fields of most tasks are
// empty: with all of them a record took twice the bytes.
extension TaskRecord: Codable {
  private enum CodingKeys: String, CodingKey {
    case foreignID, title, notes, group, tags, isDone, isCancelled, createdAt, doneAt, due, start
    case wait, priority, isImportant, estimate, repeats, occurrence, otherOccurrences, parent, level
    case order, source, readingZone, readerVersion, unknown
  }

  /// Reads a record; a field that is not there is as in a new one.
  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys, _ empty: Value) throws -> Value {
      try fields.decodeIfPresent(Value.self, forKey: key) ?? empty
    }
    self.init(title: try fields.decode(String.self, forKey: .title))
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
