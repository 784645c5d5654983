extension ChangeCapture {
  /// Where one change lies in the capture: a header of four counts, the key, the old row, the new.
  struct Entry {
    static let headerCount = 16
    /// The count of a row that is not there.
    private static let absent = UInt32.max

    let start: Int
    let model: Int
    let keyCount: Int
    let oldCount: Int?
    let newCount: Int?

    /// A row's count as a header holds it.
    static func code(_ count: Int?) -> UInt32 { count.map { UInt32($0) } ?? absent }

    init(at start: Int, in bytes: borrowing _ByteBuffer) {
      self.start = start
      // Safety: an entry starts here, whose header is whole.
      let words = unsafe bytes.base + start
      func word(_ place: Int) -> UInt32 {
        UInt32(bigEndian: unsafe words.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self))
      }
      model = Int(word(0))
      keyCount = Int(word(1))
      oldCount = word(2) == Self.absent ? nil : Int(word(2))
      newCount = word(3) == Self.absent ? nil : Int(word(3))
    }

    var keyStart: Int { start + Self.headerCount }
    var oldStart: Int { keyStart + keyCount }
    var newStart: Int { oldStart + (oldCount ?? 0) }
    var end: Int { newStart + (newCount ?? 0) }
  }

  /// What the transaction did to each model that changed, by the model's number.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changes.
  func changes() -> [Int: TableDelta] { changes(in: 0..<bytes.count) }

  /// The same for a range of the capture, which starts and ends at entries.
  ///
  /// - Parameter part: The number of the transaction's part that it is; nil for all parts.
  func changes(in range: Range<Int>, ofPart part: Int? = nil) -> [Int: TableDelta] {
    var entries: [Int: [Entry]] = [:]
    var start = range.lowerBound
    while start < range.upperBound {
      let entry = Entry(at: start, in: bytes)
      entries[entry.model, default: []].append(entry)
      start = entry.end
    }
    var changes = entries.mapValues { change(of: $0) }.filter { !$0.value.isEmpty }
    for (number, model) in models.enumerated() {
      guard let parts = model.unknownParts, part.map(parts.contains) ?? true else { continue }
      changes[number] = .unknown
    }
    return changes
  }

  private func change(of entries: [Entry]) -> TableDelta {
    // Safety: keys lie within the capture, which does not change while it is read.
    let order = unsafe KeySort.comparison(count: entries.count) { unsafe key(entries[$0]) }
    let model = models[entries[0].model]
    var (rows, keys): ([RowDelta], [[UInt8]]) = ([], [])
    var place = 0
    while place < order.count {
      let first = entries[Int(order[place])]
      var last = first
      place += 1
      while place < order.count,
        unsafe KeySort.compare(key(entries[Int(order[place])]), key(first)) == 0
      {
        last = entries[Int(order[place])]
        place += 1
      }
      if model.detail == .keys {
        unsafe keys.append([UInt8](key(first)))
      } else if let layout = model.layout, let change = change(first, last, layout) {
        rows.append(change)
      }
    }
    return model.detail == .keys ? .keys(keys) : .rows(rows)
  }

  /// What became of a row between two entries; nil where it is as it was.
  private func change(_ first: Entry, _ last: Entry, _ layout: RowLayout) -> RowDelta? {
    let old = first.oldCount.map { view(first, first.oldStart, $0) }
    let new = last.newCount.map { view(last, last.newStart, $0) }
    if old == nil, new == nil { return nil }
    if let old, let new, unsafe KeySort.compare(old.rowBytes, new.rowBytes) == 0 { return nil }
    return RowDelta(
      key: unsafe [UInt8](key(first)), old: old.map { StoredRow($0, layout) },
      new: new.map { StoredRow($0, layout) })
  }

  private func view(_ entry: Entry, _ start: Int, _ count: Int) -> RowView {
    // Safety: entries lie within the capture, which does not change while it is read, and a
    // row's second byte are its flags.
    let row = unsafe UnsafeRawPointer(bytes.base + start)
    let flags = unsafe row.load(fromByteOffset: 1, as: UInt8.self)
    return unsafe RowView(
      key: UnsafeRawPointer(bytes.base + entry.keyStart), keyCount: entry.keyCount, row: row,
      rowCount: count, isWide: flags & RowLayout.wideFlag != 0)
  }

  func key(_ entry: Entry) -> UnsafeRawBufferPointer {
    // Safety: as for rows.
    unsafe UnsafeRawBufferPointer(start: bytes.base + entry.keyStart, count: entry.keyCount)
  }
}
