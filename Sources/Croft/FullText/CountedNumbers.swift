import LMDB

/// Numbers of rows, ascending, and how often something occurs in each.
struct CountedNumbers {
  private(set) var numbers: [UInt32] = []
  private(set) var counts: [UInt32] = []

  /// Reads the postings of some terms; the counts of a number that several of them have are added.
  init(
    _ terms: PostingReader.Terms, of reader: PostingReader,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    try reader.forEachPosting(of: terms, transaction) { number, count in
      numbers.append(number)
      counts.append(count)
    }
    if !zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) {
      combine(below: reader.head.nextNumber)
    }
  }

  private mutating func combine(below end: UInt32) {
    // A sum for each number that there can be takes less time than sorting many.
    guard numbers.count > Int(end) / UInt64.bitWidth else {
      let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
      var sums = CountedNumbers()
      for place in order { sums.add(numbers[place], counts[place]) }
      self = sums
      return
    }
    var sums = [UInt32](repeating: 0, count: Int(end))
    for (number, count) in zip(numbers, counts) {
      sums[Int(number)] = sums[Int(number)].addingSaturating(count)
    }
    self = CountedNumbers()
    for (number, sum) in sums.enumerated() where sum > 0 {
      numbers.append(UInt32(number))
      counts.append(sum)
    }
  }

  private init() {}

  /// Adds to the count of a number that is not less than those before.
  private mutating func add(_ number: UInt32, _ count: UInt32) {
    if numbers.last == number {
      counts[counts.count - 1] = counts[counts.count - 1].addingSaturating(count)
    } else {
      numbers.append(number)
      counts.append(count)
    }
  }

  /// Leaves out some numbers.
  mutating func removeAll(where isRemoved: (UInt32) throws -> Bool) rethrows {
    var kept = 0
    for place in numbers.indices where try !isRemoved(numbers[place]) {
      (numbers[kept], counts[kept]) = (numbers[place], counts[place])
      kept += 1
    }
    numbers.removeLast(numbers.count - kept)
    counts.removeLast(counts.count - kept)
  }

  /// Passes the place of each number in an ascending list that has it, and its count.
  @inline(__always)
  func forEachPlace(in others: [UInt32], _ body: (_ place: Int, _ count: UInt32) -> Void) {
    Self.forEachCommon(numbers, others) { body($1, counts[$0]) }
  }

  /// Passes the places of each number that two ascending lists have.
  @inline(__always)
  static func forEachCommon(
    _ left: [UInt32], _ right: [UInt32], _ body: (_ left: Int, _ right: Int) -> Void
  ) {
    var (own, other) = (0, 0)
    while own < left.count, other < right.count {
      if left[own] == right[other] {
        body(own, other)
        own += 1
        other += 1
      } else if left[own] < right[other] {
        own += 1
      } else {
        other += 1
      }
    }
  }
}

extension UInt32 {
  /// The sum, or the greatest number where that is less.
  func addingSaturating(_ other: UInt32) -> UInt32 {
    let (sum, isTooMany) = addingReportingOverflow(other)
    return isTooMany ? .max : sum
  }
}
