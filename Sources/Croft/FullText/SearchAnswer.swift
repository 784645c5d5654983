import LMDB

/// The rows that may match a search, as a search index tells.
struct SearchAnswer {
  /// The numbers of rows that may match, ascending.
  private(set) var numbers: [UInt32] = []
  /// For each number, whether its row matches for certain.
  private(set) var isCertain: [Bool] = []
  /// How many rows match for certain.
  private(set) var certainCount = 0
  /// The keys of rows that wait for a number, ascending; some may have been deleted.
  private(set) var waiting: [[UInt8]] = []

  /// Leaves out the numbers that are dead, and those whose rows wait.
  init(
    _ candidates: SearchCandidates, of index: TextTree, _ head: TextIndexHead,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let waiting = try index.waiting(in: transaction)
    let hidden = waiting.olds
    for place in 0..<waiting.count {
      // Safety: the key is copied while the list stays unchanged.
      self.waiting.append(unsafe Array(waiting.keys[place]))
    }
    var dead = DeadNumbers(in: index)
    let possible = candidates.possible
    let numbers =
      possible.isComplement
      ? NumberSet(Array(0..<head.nextNumber)).intersection(possible).numbers : possible.numbers
    let areAllCertain = candidates.certain == possible
    if areAllCertain, hidden.isEmpty, head.live == head.nextNumber {
      (self.numbers, isCertain) = (numbers, Array(repeating: true, count: numbers.count))
      certainCount = numbers.count
      return
    }
    let certain =
      areAllCertain ? numbers : NumberSet(numbers).intersection(candidates.certain).numbers
    var next = 0
    for number in numbers {
      while next < certain.count, certain[next] < number { next += 1 }
      if try dead.contains(number, in: transaction) || hidden.contains(number) { continue }
      self.numbers.append(number)
      let matches = next < certain.count && certain[next] == number
      isCertain.append(matches)
      certainCount += matches ? 1 : 0
    }
  }
}

extension TextTree {
  /// The rows that may match a search in some of the properties.
  ///
  /// - Complexity: O(postings of the terms and pairs of characters).
  func answer(
    _ query: SearchQuery, in properties: [Int],
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> SearchAnswer {
    let head = try head(in: transaction)
    let reader = PostingReader(index: self, head: head, properties: properties)
    return try SearchAnswer(
      reader.candidates(of: query, transaction), of: self, head, transaction)
  }

  /// Passes the primary keys of ascending numbers, until a closure returns false.
  func forEachOwner(
    of numbers: [UInt32], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (_ ordinal: Int, _ key: ArraySlice<UInt8>) throws -> Bool
  ) throws {
    var group: (number: UInt32, bytes: [UInt8], owners: [OwnerGroup.Owner])?
    for (ordinal, number) in numbers.enumerated() {
      let (own, place) = number.quotientAndRemainder(dividingBy: TextIndexKey.numbersPerGroup)
      if group?.number != own {
        let bytes = try value(of: TextIndexKey.owners.key(own), in: transaction) ?? []
        group = (own, bytes, OwnerGroup.owners(in: bytes, properties: properties) ?? [])
      }
      guard let group, group.owners.indices.contains(Int(place)) else { continue }
      let key = group.owners[Int(place)].key
      if key.isEmpty { continue }
      if try !body(ordinal, group.bytes[key]) { return }
    }
  }
}
