/// The values of one row that its record leaves out, or that have no meaning.
final class Report {
  /// The field of each value, and a sentence about it.
  private(set) var warnings: [(field: TaskField?, text: IssueText)] = []

  func callAsFunction(_ field: TaskField?, _ text: IssueText) { warnings.append((field, text)) }

  /// Adds a value with a sentence in both languages.
  func callAsFunction(_ field: TaskField?, _ english: String, _ korean: String) {
    self(field, IssueText(english, korean))
  }
}
