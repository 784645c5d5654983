import LMDB

extension TextIndex {
  /// Checks that a row has a number or waits for one.
  ///
  /// Its terms are compared with all others by ``verifyEntries(of:in:_:_:)``.
  func verify(
    _ row: RecordView, of table: Table, in transaction: borrowing LMDB.ReadTransaction,
    _ result: inout Verification
  ) throws {
    // Safety: the key is read and copied while the row is borrowed.
    guard unsafe covers(row.keyBytes) else { return }
    try reportingDamage(to: &result) { result in
      let waits = try unsafe tree.value(
        of: TextIndexKey.waiting.key(of: row.keyBytes), in: transaction)
      guard try unsafe waits == nil && tree.number(of: row.keyBytes, in: transaction) == nil else {
        return
      }
      unsafe result.report(
        "\(name(in: table)) lacks \(table.schema.describe(key: row.keyBytes))", isOfIndex: true)
    }
  }

  /// Checks that the index has the terms of its rows, and nothing else.
  ///
  /// - Complexity: O(bytes of all texts).
  func verifyEntries(
    of table: Table, in transaction: borrowing LMDB.ReadTransaction, _ result: inout Verification,
    _ progress: (Verification) throws -> Void
  ) throws {
    try progress(result)
    try reportingDamage(to: &result) { result in
      let head = try tree.head(in: transaction)
      let waiting = try tree.waiting(in: transaction)
      var check = TextIndexCheck(of: self, table, head, hiding: waiting.olds)
      try check.readOwners(in: transaction)
      try check.readBlocks(in: transaction)
      try check.readWaiting(waiting, in: transaction)
      try check.readRows(waiting, in: transaction)
      result.indexEntries += check.owners
      for problem in check.problems {
        result.report("\(name(in: table)) \(problem)", isOfIndex: true)
      }
    }
  }

  /// Runs a check; damage of the index that it throws is reported.
  private func reportingDamage(
    to result: inout Verification, _ check: (inout Verification) throws -> Void
  ) throws {
    do {
      try check(&result)
    } catch let error as StoreError {
      guard case .corrupt(_, nil, _) = error else { throw error }
      result.report("\(error)", isOfIndex: true)
    }
  }

  private func name(in table: Table) -> String {
    "The index for searches of \(table.schema.name) over \(text)"
  }
}

/// A check of a search index: what its parts have is counted and compared.
private struct TextIndexCheck {
  /// After how many numbers the program may end the check, as after a block of rows.
  private static let numbersPerCheck: UInt32 = 256

  private let index: TextIndex
  private let table: Table
  private let head: TextIndexHead
  /// The numbers of rows that wait.
  private let hidden: Set<UInt32>
  private var dead: DeadNumbers
  /// How many numbers have a row.
  private(set) var owners = 0
  /// What was found, each kind of damage once.
  private(set) var problems: [String] = []
  /// A sum of hashes of the postings and lengths of all rows that do not wait.
  private var sum: UInt128 = 0

  init(of index: TextIndex, _ table: Table, _ head: TextIndexHead, hiding hidden: Set<UInt32>) {
    self.index = index
    self.table = table
    self.head = head
    self.hidden = hidden
    dead = DeadNumbers(in: index.tree)
  }

  private mutating func report(_ problem: String) {
    if !problems.contains(problem) { problems.append(problem) }
  }

  /// Checks that numbers have rows, and these rows have them.
  mutating func readOwners(in transaction: borrowing LMDB.ReadTransaction) throws {
    let tree = index.tree
    var lengths = head.lengths.map { _ in 0 as UInt64 }
    for number in 0..<head.nextNumber {
      if number.isMultiple(of: Self.numbersPerCheck) { try transaction.checkProgress() }
      guard let (key, codes) = try tree.part(of: number, in: transaction) else {
        if try !dead.contains(number, in: transaction) { report("lacks the key of a number") }
        continue
      }
      owners += 1
      // Damaged codes may give more than fits.
      for (property, code) in codes.enumerated() {
        lengths[property] &+= TextLength.units(of: code)
      }
      // Safety: the array outlives the call.
      let own = try unsafe key.withUnsafeBytes { try unsafe tree.number(of: $0, in: transaction) }
      if own != number { report("gives a number to two rows, or two numbers to one") }
      if try dead.contains(number, in: transaction) { report("has a key of a dead number") }
      if hidden.contains(number) { continue }
      sum &+= Self.hash(codes, number, 0)
      if try unsafe transaction.get(key.span.bytes, in: table.rows) == nil {
        report("has a row that does not exist")
      }
    }
    let numbers = try transaction.count(
      of: tree.tree, in: .prefix(TextIndexKey.number.prefix), upTo: .max)
    if numbers != owners || head.live != UInt32(clamping: owners) {
      report("does not have as many numbers as it counts")
    }
    if lengths != head.lengths { report("does not have as many words as it counts") }
  }

  /// Checks that all blocks can be read, are in order and of segments, and adds up their postings.
  mutating func readBlocks(in transaction: borrowing LMDB.ReadTransaction) throws {
    var blocks = 0
    for property in index.columns.indices {
      var last: [[UInt8]: UInt32] = [:]
      let all = TextTree.TermRange.prefix([], of: property)
      for segment in head.segments {
        blocks += try index.tree.countBlocks(of: property, in: segment, transaction)
        var postings: [(number: UInt32, count: UInt32)] = []
        var before: [UInt8] = []
        let areSound = try unsafe index.tree.forEachList(of: all, in: segment, transaction) {
          term, first, list in
          // Safety: the term is copied while it is borrowed.
          let term = unsafe Array(term)
          if let number = last[term], first <= number { report("has blocks out of order") }
          if term.lexicographicallyPrecedes(before) { report("has blocks out of order") }
          before = term
          postings.removeAll(keepingCapacity: true)
          let isSound = PostingBlock.forEach(in: list, from: first, of: segment.numbers) {
            postings.append(($0, $1))
          }
          if !isSound { report("has a damaged block") }
          last[term] = postings.last?.number
          for (number, count) in postings {
            if try hidden.contains(number) || dead.contains(number, in: transaction) { continue }
            add(UInt8(truncatingIfNeeded: property), term + [0], number, count)
          }
        }
        if !areSound { report("has a damaged block") }
      }
    }
    let entries = try transaction.count(
      of: index.tree.tree, in: .prefix(TextIndexKey.block.prefix), upTo: .max)
    if entries != blocks { report("has blocks of no segment") }
  }

  /// Checks the rows that wait.
  mutating func readWaiting(
    _ waiting: borrowing WaitingRows, in transaction: borrowing LMDB.ReadTransaction
  ) throws {
    if head.waitingRows != UInt32(clamping: waiting.count) {
      report("does not have as many waiting rows as it counts")
    }
    for place in 0..<waiting.count {
      // Safety: the key is read while the list stays unchanged.
      let number = try unsafe index.tree.number(of: waiting.keys[place], in: transaction)
      if number != waiting.rows[place].old { report("has a waiting row with a wrong number") }
    }
  }

  /// Takes the terms of all rows that do not wait from the sum, of which nothing is to be left.
  mutating func readRows(
    _ waiting: borrowing WaitingRows, in transaction: borrowing LMDB.ReadTransaction
  ) throws {
    let waits = ByteSet()
    for place in 0..<waiting.count { unsafe waits.insert(waiting.keys[place]) }
    var postings = PendingPostings(properties: index.columns.count)
    let arena = RecordArena()
    var isReadable = true
    try transaction.forEachBlock(of: table.rows) { block in
      arena.clear()
      for place in 0..<block.count {
        // Safety: the row is used while the block is borrowed.
        let entry = unsafe block.entries[place]
        if unsafe waits.contains(entry.key) || !index.covers(entry.key) { continue }
        guard let number = try unsafe index.tree.number(of: entry.key, in: transaction) else {
          continue
        }
        postings.begin(number)
        do {
          let row = try unsafe table.view(key: entry.key, row: entry.value, arena)
          try row.checkSum(table.layout)
          try index.add(row, to: &postings)
          sum &-= Self.hash(postings.units.map(TextLength.code), number, 0)
        } catch StoreError.corrupt(_, .some, _) {
          // The check of rows reports it; the index may have its terms.
          isReadable = false
        }
      }
      if postings.byteCount > Threshold.bytesPerIndexStep.value { subtract(&postings) }
      return isReadable
    }
    subtract(&postings)
    if isReadable, sum != 0 { report("has other words than its rows") }
  }

  private mutating func subtract(_ postings: inout PendingPostings) {
    unsafe postings.removeAll { term, numbers, counts in
      // Safety: the term is copied during the call.
      let term = unsafe Array(term)
      for place in numbers.indices { sum &-= Self.hash(term, numbers[place], counts[place]) }
    }
  }

  private mutating func add(_ property: UInt8, _ term: [UInt8], _ number: UInt32, _ count: UInt32) {
    sum &+= Self.hash([property] + term, number, count)
  }

  private static func hash(_ term: [UInt8], _ number: UInt32, _ count: UInt32) -> UInt128 {
    var bytes = term
    bytes.append(bigEndian: number)
    bytes.append(bigEndian: count)
    // Safety: the array outlives the call.
    return unsafe bytes.withUnsafeBytes { unsafe Checksum.FNV1a.hash($0) }
  }
}
