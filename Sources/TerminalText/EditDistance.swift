extension String {
  /// The optimal string alignment distance between two words (Damerau, 1964).
  ///
  /// It counts the letters to insert, delete, replace or swap with the next one, which tells what a misspelt
  /// word is meant to be.
  ///
  /// - Parameters:
  ///   - other: The other word; capitals differ from small letters.
  ///   - swaps: Whether a swap counts as one edit; without swaps the result is the Levenshtein
  ///     distance.
  /// - Complexity: O(m * n) for words of m and n letters.
  public func editDistance(to other: String, swaps: Bool = true) -> Int {
    let from = Array(self)
    let to = Array(other)
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for (i, letter) in from.enumerated() {
      var row = [i + 1]
      for (j, wanted) in to.enumerated() {
        var least = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == wanted ? 0 : 1))
        if swaps, i > 0, j > 0, letter == to[j - 1], from[i - 1] == wanted {
          least = Swift.min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[to.count]
  }
}
