extension RandomAccessCollection where Index == Int {
  /// The index of the first element that satisfies a condition; the end where none does.
  ///
  /// - Precondition: The elements after one that satisfies the condition satisfy it too.
  /// - Complexity: O(log n).
  func firstIndexInOrder(where isFound: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isFound(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension [Int] {
  /// How many elements of an ascending list are less than a number.
  func rank(of number: Int) -> Int { firstIndexInOrder { $0 >= number } }

  /// Whether an ascending list holds a number.
  func contains(sorted number: Int) -> Bool {
    let rank = rank(of: number)
    return rank < count && self[rank] == number
  }

  /// The indices of a longest increasing subsequence.
  ///
  /// - Complexity: O(n log n).
  func longestIncreasingSubsequence() -> [Int] {
    /// For each length, the index of the least last element of an increasing subsequence of it.
    var ends: [Int] = []
    var predecessors = [Int?](repeating: nil, count: count)
    for (index, element) in enumerated() {
      let low = ends.firstIndexInOrder { self[$0] >= element }
      if low > 0 { predecessors[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var ascent: [Int] = []
    var next = ends.last
    while let index = next {
      ascent.append(index)
      next = predecessors[index]
    }
    return ascent.reversed()
  }
}
