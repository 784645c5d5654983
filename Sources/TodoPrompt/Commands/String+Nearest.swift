extension String {
  /// The word that this one most likely means when it was mistyped; nil when none is near.
  ///
  /// A word that begins one of them means that one; else one or two edits are
  /// forgiven, fewer in short words. Ties go to the word that stands first.
  func nearest(in words: [String]) -> String? {
    let typed = lowercased()
    if typed.isEmpty { return nil }
    if words.contains(typed) { return typed }
    if let begun = words.first(where: { $0.hasPrefix(typed) }) { return begun }
    let scored = words.map { (word: $0, distance: typed.editDistance(to: $0)) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    let forgiven = Swift.min(2, Swift.max(typed.count, best.word.count) / 2)
    return best.distance <= forgiven ? best.word : nil
  }

  /// How many letters must be put in, left out, replaced or swapped with the next
  /// one to turn this word into another (optimal string alignment).
  ///
  /// - Complexity: O(m * n) for words of m and n letters.
  func editDistance(to other: String) -> Int {
    let from = Array(self)
    let to = Array(other)
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for (i, letter) in from.enumerated() {
      var row = [i + 1]
      for (j, wanted) in to.enumerated() {
        var least = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == wanted ? 0 : 1))
        if i > 0, j > 0, letter == to[j - 1], from[i - 1] == wanted {
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
