/// A place in the project that breaks a rule, and how to mend it.
struct Finding: Hashable, CustomStringConvertible {
  let path: String
  /// Counted from 1; 0 speaks of the file as a whole.
  let line: Int
  /// What is wrong and what to do instead, as a sentence.
  let remedy: String

  /// `path:line` as compilers write it, so that editors jump there.
  var place: String { line == 0 ? path : "\(path):\(line)" }

  var description: String { "\(place): \(remedy)" }
}
