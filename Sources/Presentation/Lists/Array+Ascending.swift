extension [Int] {
  /// How many elements of an ascending list are less than a number.
  func rank(of number: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

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
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if self[ends[middle]] < element { low = middle + 1 } else { high = middle }
      }
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
