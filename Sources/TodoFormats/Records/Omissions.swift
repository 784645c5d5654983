/// The fields that a file leaves out of a task, which an import therefore does not change.
///
/// An object without a key and a table without a column leave the field of a known task unchanged;
/// null and an empty cell clear it. The other formats write each field that is set, so a task
/// without one has had it cleared.
package struct Omissions: Hashable, Sendable {
  /// The fields that the file leaves out.
  package private(set) var fields: Set<TaskField> = []
  /// The names of the parts that the rows of a table have; nil for a file of objects or tasks.
  private var columns: Set<String>?

  /// The omissions of a file that leaves nothing out.
  init() {}

  /// The fields of which none of their names occurs in a file.
  ///
  /// - Parameters:
  ///   - names: The keys of an object, or the names of a table's columns.
  ///   - namesOfFields: The keys or columns from which each field is read.
  init(of names: Set<String>, namesOfFields: [TaskField: Set<String>]) {
    fields = Set(namesOfFields.filter { $0.value.isDisjoint(with: names) }.keys)
  }

  /// The fields, and the other properties, that a table has no column for.
  init(ofColumns columns: Set<String>, namesOfFields: [TaskField: Set<String>]) {
    self.init(of: columns, namesOfFields: namesOfFields)
    // A table says nothing about other tasks of its recurrences.
    fields.insert(.occurrences)
    self.columns = columns
  }

  /// The verbatim pieces of an earlier record that a file leaves out.
  fileprivate func omitted(_ parts: [TaskRecord.Part]) -> [TaskRecord.Part] {
    guard let columns else { return [] }
    return parts.filter { !columns.contains($0.name) }
  }
}

extension TaskRecord {
  /// The record, with the fields that its file leaves out copied from an earlier record.
  package func completed(by earlier: TaskRecord, _ omissions: Omissions) -> TaskRecord {
    var record = self
    for field in omissions.fields { record.take(field, from: earlier) }
    let kept = omissions.omitted(earlier.unknown)
    if !kept.isEmpty, record.source == nil || record.source == earlier.source {
      // The pieces are in the order of their names, as a reader leaves them.
      let parts = Dictionary(grouping: record.unknown + kept, by: \.name)
      record.unknown = parts.keys.sorted().flatMap { parts[$0] ?? [] }
      record.source = earlier.source
    }
    return record
  }

  /// The record without the fields that a file leaves out, for a comparison with the file.
  package func without(_ omissions: Omissions) -> TaskRecord {
    var record = self
    let bare = TaskRecord(title: title)
    for field in omissions.fields { record.take(field, from: bare) }
    let left = omissions.omitted(record.unknown)
    record.unknown.removeAll(where: left.contains)
    if record.unknown.isEmpty { record.source = nil }
    return record
  }

  mutating func take(_ field: TaskField, from other: TaskRecord) {
    switch field {
    case .title: title = other.title
    case .notes: notes = other.notes
    case .tags: tags = other.tags
    case .isDone: isDone = other.isDone
    case .isCancelled: isCancelled = other.isCancelled
    case .createdAt: createdAt = other.createdAt
    case .doneAt: doneAt = other.doneAt
    case .due: due = other.due
    case .dueTime: due?.time = other.due?.time
    case .start: start = other.start
    case .wait: wait = other.wait
    case .priority: priority = other.priority
    case .isImportant: isImportant = other.isImportant
    case .repeats: repeats = other.repeats
    case .occurrences:
      (occurrence, otherOccurrences) = (other.occurrence, other.otherOccurrences)
    case .level: level = other.level
    case .order: order = other.order
    case .unknown: (source, unknown) = (other.source, other.unknown)
    default:
      for text in TaskField.texts where text.field == field {
        self[keyPath: text.text] = other[keyPath: text.text]
      }
    }
  }
}
