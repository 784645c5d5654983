extension ChangeCapture {
  /// The changes as the log has them: the keys of each model, or that it changed.
  ///
  /// - Complexity: O(*n*) for *n* changes, beside sorting those whose keys fit into a record.
  func logRecord() -> LogRecordEncoder {
    let keyBytes = keyBytes()
    let entries = entries { keyBytes[$0] <= CommitLog.largestKeyBytes }
    var encoder = LogRecordEncoder()
    var place = 0
    for (number, model) in models.enumerated() where model.isUnknown || keyBytes[number] > 0 {
      encoder.beginModel(number)
      let start = place
      while place < entries.count, entries[place].model == number {
        if place == start || !haveSameKey(entries[place - 1], entries[place]) {
          // Safety: the key is copied while the capture lends it.
          unsafe encoder.append(key: key(entries[place]))
        }
        place += 1
      }
    }
    return encoder
  }

  /// The bytes of each model's keys.
  private func keyBytes() -> [Int] {
    var counts = Array(repeating: 0, count: models.count)
    var start = 0
    while start < bytes.count {
      let entry = Entry(at: start, in: bytes)
      counts[entry.model] += entry.keyCount
      start = entry.end
    }
    return counts
  }

  /// The entries of models that are wanted and known, ascending by model and key.
  private func entries(of isWanted: (Int) -> Bool) -> [Entry] {
    var entries: [Entry] = []
    var start = 0
    while start < bytes.count {
      let entry = Entry(at: start, in: bytes)
      if isWanted(entry.model), !models[entry.model].isUnknown { entries.append(entry) }
      start = entry.end
    }
    entries.sort { left, right in
      if left.model != right.model { return left.model < right.model }
      return unsafe KeySort.compare(key(left), key(right)) < 0
    }
    return entries
  }

  private func haveSameKey(_ left: Entry, _ right: Entry) -> Bool {
    unsafe KeySort.compare(key(left), key(right)) == 0
  }
}
