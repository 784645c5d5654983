import LMDB

extension TextTree {
  /// Gives rows their numbers and writes their terms as a segment, also of those that waited.
  ///
  /// - Parameters:
  ///   - rows: The keys of rows that were inserted, replaced or deleted, ascending, each once.
  ///   - transaction: The transaction, which has the rows.
  ///   - head: Is changed, and to be put.
  ///   - terms: Adds the terms of a row.
  func flush(
    _ rows: borrowing ByteList, in transaction: inout LMDB.WriteTransaction,
    _ head: inout TextIndexHead, _ terms: Terms
  ) throws {
    let changed = try union(rows, waiting(in: transaction), head, in: transaction)
    try transaction.deleteRange(.prefix(TextIndexKey.waiting.prefix), in: tree)
    (head.waitingRows, head.waitingBytes) = (0, 0)
    try bury(changed.olds.sorted(), in: &transaction, &head)
    try add(changed, in: &transaction, &head, terms)
  }

  /// Adds the rows that were collected, which had no number and do not wait: a step of a build.
  func build(
    _ rows: borrowing ByteList, in transaction: inout LMDB.WriteTransaction, _ terms: Terms
  ) throws {
    if rows.count == 0 { return }
    var head = try head(in: transaction)
    var added = WaitingRows()
    for place in 0..<rows.count { unsafe added.append(rows[place], WaitingRows.Row(old: nil)) }
    try add(added, in: &transaction, &head, terms)
    try put(head, in: &transaction)
  }

  /// Changed rows and waiting ones, with their old numbers.
  private func union(
    _ rows: borrowing ByteList, _ waiting: borrowing WaitingRows, _ head: TextIndexHead,
    in transaction: borrowing LMDB.WriteTransaction
  ) throws -> WaitingRows {
    var all = WaitingRows()
    var next = 0
    for place in 0..<rows.count {
      // Safety: the keys are compared and copied while the lists stay unchanged.
      let key = unsafe rows[place]
      var order = -1
      while next < waiting.count, order < 0 {
        order = unsafe ByteList.compare(waiting.keys[next], key)
        if order > 0 { break }
        unsafe all.append(waiting.keys[next], waiting.rows[next])
        next += 1
      }
      if order == 0 { continue }
      let old = head.live > 0 ? try unsafe number(of: key, in: transaction) : nil
      unsafe all.append(key, WaitingRows.Row(old: old))
    }
    while next < waiting.count {
      unsafe all.append(waiting.keys[next], waiting.rows[next])
      next += 1
    }
    return all
  }

  /// Marks numbers as dead, and removes what is kept of them beside their postings.
  private func bury(
    _ numbers: [UInt32], in transaction: inout LMDB.WriteTransaction, _ head: inout TextIndexHead
  ) throws {
    var dead = DeadNumbers(in: self)
    for number in numbers { try dead.insert(number, in: transaction) }
    var changes = TreeChanges()
    dead.put(to: &changes)
    var rest = numbers[...]
    while let first = rest.first {
      let group = first / TextIndexKey.numbersPerGroup
      let own = rest.prefix { $0 / TextIndexKey.numbersPerGroup == group }
      rest = rest.dropFirst(own.count)
      try clear(own, of: group, in: transaction, &head, &changes)
    }
    try changes.apply(to: tree, in: &transaction)
  }

  /// Removes the keys of dead numbers from their group, and a group where all are dead.
  private func clear(
    _ numbers: ArraySlice<UInt32>, of group: UInt32,
    in transaction: borrowing LMDB.WriteTransaction, _ head: inout TextIndexHead,
    _ changes: inout TreeChanges
  ) throws {
    let key = TextIndexKey.owners.key(group)
    guard let bytes = try value(of: key, in: transaction),
      let owners = OwnerGroup.owners(in: bytes, properties: properties)
    else { throw damage("the keys of numbers") }
    var (left, live): ([UInt8], Int) = ([], 0)
    let dead = Set(numbers)
    for (place, owner) in owners.enumerated() {
      let number = group * TextIndexKey.numbersPerGroup + UInt32(place)
      if dead.contains(number), !owner.key.isEmpty {
        head.noteDeath(of: number, lengths: Array(bytes[owner.lengths]))
        left.append(0)
      } else {
        live += owner.key.isEmpty ? 0 : 1
        left += bytes[owner.part]
      }
    }
    if live == 0, owners.count == Int(TextIndexKey.numbersPerGroup) {
      changes.delete(key)
    } else {
      changes.put(left, at: key)
    }
  }

  /// Gives rows numbers, and writes their terms as a segment; of a deleted row its number goes.
  private func add(
    _ rows: borrowing WaitingRows, in transaction: inout LMDB.WriteTransaction,
    _ head: inout TextIndexHead, _ terms: Terms
  ) throws {
    guard UInt64(head.nextNumber) + UInt64(rows.count) <= UInt32.max else {
      throw damage("its numbers are used up")
    }
    let first = head.nextNumber
    var postings = PendingPostings(properties: properties)
    var changes = TreeChanges()
    var groups = TreeChanges()
    var group = try lastGroup(head, in: transaction)
    for place in 0..<rows.count {
      // Safety: the key is borrowed while the list stays unchanged.
      let key = unsafe rows.keys[place]
      let number = head.nextNumber
      postings.begin(number)
      guard try unsafe terms(RawSpan(_unsafeBytes: key), transaction, &postings) else {
        if rows.rows[place].old != nil { changes.delete(unsafe TextIndexKey.number.key(of: key)) }
        continue
      }
      var value: [UInt8] = []
      value.append(bigEndian: number)
      changes.put(value, at: unsafe TextIndexKey.number.key(of: key))
      unsafe OwnerGroup.append(key, lengths: postings.units, to: &group)
      for (property, length) in postings.units.enumerated() {
        head.lengths[property] += TextLength.units(of: TextLength.code(of: length))
      }
      head.nextNumber += 1
      head.live += 1
      if head.nextNumber % TextIndexKey.numbersPerGroup == 0 {
        groups.put(group.copied, at: TextIndexKey.owners.key(number / TextIndexKey.numbersPerGroup))
        group.count = 0
      }
    }
    if group.count > 0, head.nextNumber > first {
      let last = head.nextNumber / TextIndexKey.numbersPerGroup
      groups.put(group.copied, at: TextIndexKey.owners.key(last))
    }
    try changes.apply(to: tree, in: &transaction)
    try groups.apply(to: tree, in: &transaction)
    let written = try write(&postings, from: first, in: &transaction, &head)
    try merge(afterWriting: written, in: &transaction, &head)
  }

  /// The group that the next number is in, as far as it has numbers.
  private func lastGroup(
    _ head: TextIndexHead, in transaction: borrowing LMDB.WriteTransaction
  ) throws -> _ByteBuffer {
    var group = _ByteBuffer()
    let (number, count) = head.nextNumber.quotientAndRemainder(
      dividingBy: TextIndexKey.numbersPerGroup)
    guard count > 0 else { return group }
    let key = TextIndexKey.owners.key(number)
    guard let bytes = try value(of: key, in: transaction),
      let owners = OwnerGroup.owners(in: bytes, properties: properties),
      owners.count == Int(count)
    else { throw damage("the keys of numbers") }
    // Safety: the bytes are copied while the array is borrowed.
    unsafe bytes.withUnsafeBytes { unsafe group.append(contentsOf: $0) }
    return group
  }

  /// Writes postings as a segment, unless there are none, and returns about how many bytes they take.
  private func write(
    _ postings: inout PendingPostings, from first: UInt32,
    in transaction: inout LMDB.WriteTransaction, _ head: inout TextIndexHead
  ) throws -> Int {
    let segment = head.nextSegment
    var writer = PostingWriter(segment: segment, longestBlock: bounds.longestBlock)
    var blocks = TreeChanges()
    unsafe postings.removeAll { term, numbers, counts in
      // Safety: the term is copied during the call.
      unsafe writer.begin(term, &blocks)
      for place in numbers.indices { writer.add(numbers[place], counts[place], to: &blocks) }
    }
    writer.finish(&blocks)
    guard blocks.count > 0 else { return 0 }
    try blocks.apply(to: tree, in: &transaction)
    head.nextSegment += 1
    head.segments.append(
      TextIndexHead.Segment(
        id: segment, level: 0, numbers: first..<head.nextNumber, bytes: UInt64(writer.bytes),
        live: head.nextNumber - first))
    return writer.bytes
  }
}
