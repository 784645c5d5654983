/// Some numbers of rows: those of an ascending list, or all others.
struct NumberSet: Equatable {
  private(set) var numbers: [UInt32]
  /// Whether the set has the numbers that the list lacks.
  private(set) var isComplement = false

  static let none = NumberSet([])
  static let all = none.complement

  /// Makes the set of ascending numbers, each once.
  init(_ numbers: [UInt32]) { self.numbers = numbers }

  /// Makes the set of numbers in any order, of which one may be repeated.
  ///
  /// - Parameter end: A number greater than all.
  init(unordered numbers: [UInt32], below end: UInt32) {
    self.init([])
    // A bit for each number that there can be is read faster than many numbers are sorted.
    guard numbers.count > Int(end) / UInt64.bitWidth else {
      for number in numbers.sorted() where number != self.numbers.last {
        self.numbers.append(number)
      }
      return
    }
    var words = [UInt64](repeating: 0, count: Int(end) / UInt64.bitWidth + 1)
    for number in numbers {
      words[Int(number) / UInt64.bitWidth] |= 1 << UInt64(Int(number) % UInt64.bitWidth)
    }
    for (place, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        self.numbers.append(UInt32(place * UInt64.bitWidth + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  var isEmpty: Bool { numbers.isEmpty && !isComplement }
  private var isAll: Bool { numbers.isEmpty && isComplement }

  var complement: NumberSet {
    var other = self
    other.isComplement.toggle()
    return other
  }

  func intersection(_ other: NumberSet) -> NumberSet {
    if isAll { return other }
    if other.isAll { return self }
    return switch (isComplement, other.isComplement) {
    case (false, false): merged(other) { $0 && $1 }
    case (false, true): merged(other) { $0 && !$1 }
    case (true, false): merged(other) { !$0 && $1 }
    case (true, true): merged(other) { $0 || $1 }.complement
    }
  }

  func union(_ other: NumberSet) -> NumberSet {
    complement.intersection(other.complement).complement
  }

  /// The numbers of the lists for which a closure holds, by which lists have them.
  private func merged(_ other: NumberSet, _ keeps: (Bool, Bool) -> Bool) -> NumberSet {
    let (left, right) = (numbers, other.numbers)
    let (keepsLeft, keepsRight, keepsBoth) = (
      keeps(true, false), keeps(false, true), keeps(true, true)
    )
    var kept: [UInt32] = []
    var (own, others) = (0, 0)
    while own < left.count, others < right.count {
      if left[own] == right[others] {
        if keepsBoth { kept.append(left[own]) }
        own += 1
        others += 1
      } else if left[own] < right[others] {
        if keepsLeft { kept.append(left[own]) }
        own += 1
      } else {
        if keepsRight { kept.append(right[others]) }
        others += 1
      }
    }
    if keepsLeft { kept += left[own...] }
    if keepsRight { kept += right[others...] }
    return NumberSet(kept)
  }
}
