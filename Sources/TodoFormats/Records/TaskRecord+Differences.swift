extension TaskRecord {
  /// The fields in which another record says something else, `unknown` not counted.
  func differences(from other: TaskRecord, precision: TimePrecision) -> [TaskField] {
    var fields = Set(
      TaskField.texts.filter { self[keyPath: $0.text] != other[keyPath: $0.text] }.map(\.field))
    func compare(_ field: TaskField, _ isEqual: Bool) {
      if !isEqual { fields.insert(field) }
    }
    compare(.title, title == other.title)
    compare(
      .notes,
      notes.count == other.notes.count
        && zip(notes, other.notes).allSatisfy {
          $0.text == $1.text && precision.areEqual($0.date, $1.date)
        })
    compare(.tags, tags == other.tags)
    compare(.isDone, isDone == other.isDone)
    compare(.isCancelled, isCancelled == other.isCancelled)
    compare(.createdAt, precision.areEqual(createdAt, other.createdAt))
    compare(.doneAt, precision.areEqual(doneAt, other.doneAt))
    let isSameDay = due?.wholeDay == other.due?.wholeDay
    compare(.due, isSameDay)
    compare(.dueTime, !isSameDay || due == other.due)
    compare(.start, start == other.start)
    compare(.wait, wait == other.wait)
    compare(.priority, priority == other.priority)
    compare(.isImportant, isImportant == other.isImportant)
    compare(.repeats, repeats == other.repeats)
    compare(.level, level == other.level)
    compare(.order, order == other.order)
    return TaskField.allCases.filter(fields.contains)
  }
}
