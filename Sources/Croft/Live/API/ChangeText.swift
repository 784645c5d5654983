/// A change in words: its commit, what there was and is, and the lists that say something.
struct ChangeText: CustomStringConvertible {
  let description: String

  /// Describes a change.
  ///
  /// - Parameters:
  ///   - sequence: The commit's number.
  ///   - counts: How many there were of something and are, with its name.
  ///   - isInitial: Whether it is the first change.
  ///   - lists: What is listed, by its name.
  init(
    _ sequence: UInt64, _ counts: (before: Int, after: Int, name: String), isInitial: Bool,
    _ lists: [(name: String, places: [String])]
  ) {
    let became = isInitial ? "\(counts.after)" : "\(counts.before) -> \(counts.after)"
    let told = lists.filter { !$0.places.isEmpty }.map { list in
      "; \(list.name) \(list.places.joined(separator: " "))"
    }
    description = "commit \(sequence): \(became) \(counts.name)" + told.joined()
  }
}
