extension Array where Element: Hashable {
  /// The elements without repetitions, each at its first place.
  ///
  /// - Complexity: O(n) in the number of elements.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
