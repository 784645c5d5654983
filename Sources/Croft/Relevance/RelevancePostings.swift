import LMDB

/// What a search index has of the terms by which objects are ordered, as of one transaction.
struct RelevancePostings {
  /// What is counted of all rows, those that wait included.
  private(set) var counts: RelevanceCounts
  /// The numbers of rows with each key, by terms, sequences, keys and texts of the term.
  ///
  /// Numbers that are dead or whose rows wait are left out.
  private(set) var lists: [[[[CountedNumbers]]]] = []
  private let terms: RelevanceTerms
  private let texts: TextIndex
  /// The property of the index that each text is.
  private let properties: [Int]
  private let reader: PostingReader

  /// Reads the lists, and the rows that wait.
  ///
  /// - Complexity: O(postings of the terms' words and pairs), and O(texts of the waiting rows).
  init(
    _ terms: RelevanceTerms, _ texts: TextIndex, properties: [Int], _ table: Table,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let head = try texts.tree.head(in: transaction)
    (self.terms, self.texts, self.properties) = (terms, texts, properties)
    reader = PostingReader(index: texts.tree, head: head, properties: properties)
    counts = RelevanceCounts(terms)
    counts.units = properties.map { head.lengths[$0] }
    let hidden = try countWaiting(table, transaction)
    let areAllAlive = hidden.isEmpty && head.live == head.nextNumber
    var dead = DeadNumbers(in: texts.tree)
    for (place, term) in terms.terms.enumerated() {
      var ofTerm: [[[CountedNumbers]]] = []
      for (own, sequence) in term.sequences.enumerated() {
        var ofSequence: [[CountedNumbers]] = []
        for (ordinal, part) in sequence.keys.enumerated() {
          var ofKey: [CountedNumbers] = []
          for text in term.texts {
            var list = try CountedNumbers(
              reader.terms(of: part.key, properties[text]), of: reader, transaction)
            if !areAllAlive {
              try list.removeAll {
                try hidden.contains($0) || dead.contains($0, in: transaction)
              }
            }
            ofKey.append(list)
          }
          let rows = ofKey.dropFirst().reduce(NumberSet(ofKey.first?.numbers ?? [])) {
            $0.union(NumberSet($1.numbers))
          }
          counts.keys[place][own][ordinal] += rows.numbers.count
          ofSequence.append(ofKey)
        }
        ofTerm.append(ofSequence)
      }
      lists.append(ofTerm)
    }
    counts.rows = try transaction.count(of: table.rows)
  }

  /// Counts the rows that wait in place of their old numbers, which it returns.
  private mutating func countWaiting(
    _ table: Table, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Set<UInt32> {
    let waiting = try texts.tree.waiting(in: transaction)
    let arena = RecordArena()
    for place in 0..<waiting.count {
      // Safety: the key is used while the list stays unchanged.
      if let row = try unsafe table.row(waiting.keys[place], in: transaction, arena) {
        try terms.count(row, in: &counts)
      }
      guard let old = waiting.rows[place].old,
        let part = try texts.tree.part(of: old, in: transaction)
      else { continue }
      for (text, property) in properties.enumerated() {
        let units = TextLength.units(of: part.lengths[property])
        counts.units[text] -= min(units, counts.units[text])
      }
    }
    return waiting.olds
  }
}

// MARK: - The greatest scores

extension RelevancePostings {
  /// The greatest score that the row of each of some ascending numbers can have.
  ///
  /// - Complexity: O(postings of the terms), and O(numbers) for each term and text.
  func bounds(
    of numbers: [UInt32], by statistics: RelevanceStatistics,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [UInt32] {
    var bounds = [UInt32](repeating: 0, count: numbers.count)
    if terms.terms.isEmpty { return bounds }
    let lengths = try texts.tree.lengths(of: numbers, in: transaction)
    let width = texts.tree.properties
    for (place, term) in terms.terms.enumerated() {
      var shares = [UInt64](repeating: 0, count: numbers.count)
      for (ordinal, text) in term.texts.enumerated() {
        let (property, weight) = (properties[text], terms.texts[text].weight)
        let mean = statistics.means[text]
        let counts = try occurrences(of: place, ordinal, among: numbers, transaction)
        for number in numbers.indices where counts[number] > 0 {
          shares[number] += RelevanceLaw.shares(
            weight: weight, occurrences: Int(counts[number]),
            length: lengths[number * width + property], mean: mean)
        }
      }
      let rarity = statistics.rarities[place]
      for number in numbers.indices where shares[number] > 0 {
        bounds[number] = bounds[number].addingSaturating(
          RelevanceLaw.score(rarity: rarity, shares: shares[number]))
      }
    }
    return bounds
  }

  /// How often a term can occur in a text of each of some rows; 0 where it does not.
  private func occurrences(
    of term: Int, _ text: Int, among numbers: [UInt32],
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [UInt32] {
    var sums = [UInt32](repeating: 0, count: numbers.count)
    for (own, sequence) in terms.terms[term].sequences.enumerated() {
      let keys = lists[term][own].map { $0[text] }
      if sequence.source.parts.count == 1 || sequence.source.initials != nil, let list = keys.first
      {
        list.forEachPlace(in: numbers) { sums[$0] &+= min($1, .max &- sums[$0]) }
        continue
      }
      // As often as the rarest of its parts, and once where the text has white space between them.
      var least = [UInt32](repeating: .max, count: numbers.count)
      for list in keys {
        var counts = [UInt32](repeating: 0, count: numbers.count)
        list.forEachPlace(in: numbers) { counts[$0] = $1 }
        for place in numbers.indices { least[place] = min(least[place], counts[place]) }
      }
      let property = properties[terms.terms[term].texts[text]]
      let possible = try reader.candidates(of: sequence.source, property, transaction).possible
      CountedNumbers.forEachCommon(possible.numbers, numbers) { _, place in
        sums[place] &+= min(max(least[place], 1), .max &- sums[place])
      }
    }
    return sums
  }
}

extension TextTree {
  /// The codes of the lengths of the texts of some ascending numbers, one after the other.
  ///
  /// Those of a dead number are 0, which is the length of no text that has a term.
  func lengths(
    of numbers: [UInt32], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: numbers.count * properties)
    var place = 0
    /// Reads the lengths that a group has, which begin with that of the number at the place.
    func read(_ group: UInt32, _ owners: RawSpan) {
      let start = place
      while place < numbers.count, numbers[place] / TextIndexKey.numbersPerGroup == group {
        place += 1
      }
      OwnerGroup.readLengths(
        of: numbers[start..<place], in: owners, properties: properties, to: &lengths,
        at: start * properties)
    }
    guard let first = numbers.first, let last = numbers.last else { return lengths }
    let groups = first / TextIndexKey.numbersPerGroup...last / TextIndexKey.numbersPerGroup
    if numbers.count > groups.count / Self.groupsPerRead {
      let range = KeyRange(
        lower: .inclusive(TextIndexKey.owners.key(groups.lowerBound)),
        upper: .exclusive(TextIndexKey.owners.key(groups.upperBound) + [0]))
      try transaction.forEachBlock(of: tree, in: range) { block in
        for entry in 0..<block.count {
          // Safety: the key is used while the block is borrowed, and only where it is long enough.
          let group = unsafe block.key(at: entry).withUnsafeBytes { key in
            key.count == TextIndexKey.numberSize + 1
              ? unsafe UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
              : .max
          }
          while place < numbers.count, numbers[place] / TextIndexKey.numbersPerGroup < group {
            place += 1
          }
          read(group, block.value(at: entry))
        }
        return place < numbers.count
      }
      return lengths
    }
    while place < numbers.count {
      let start = place
      let group = numbers[place] / TextIndexKey.numbersPerGroup
      let key = TextIndexKey.owners.key(group)
      // Safety: the key outlives the call, and the value is read while the transaction is borrowed.
      if let owners = try unsafe transaction.get(key.span.bytes, in: tree) { read(group, owners) }
      if place == start { place += 1 }
    }
    return lengths
  }

  /// In steps of so many groups each one is read in turn, because that takes less time than finding some.
  private static var groupsPerRead: Int { 4 }
}
