/// A problem in a file: a row that could not be read, or a value that is left out.
package struct TaskIssue: Error, Hashable, Sendable {
  /// The severity of the issue.
  package enum Severity: Hashable, Sendable {
    /// A task, or a part of one, is lost or changed in conversion.
    case warning
    /// A row could not be read as a task; the rows after it were read.
    case error
    /// The rest of the file could not be read.
    case fatal
  }

  /// The severity of the issue.
  package var severity: Severity
  /// The line, row or record it is about, counted from 1; nil for the whole file.
  package var row: Int?
  /// The field it is about, by which issues can be counted; nil for none.
  package var field: TaskField?
  /// One plain sentence, with its full stop.
  package var text: IssueText

  /// Makes an issue.
  package init(_ severity: Severity, row: Int?, field: TaskField? = nil, _ text: IssueText) {
    self.severity = severity
    self.row = row
    self.field = field
    self.text = text
  }

  /// Makes an issue of a sentence in both languages.
  package init(
    _ severity: Severity, row: Int?, field: TaskField? = nil, _ english: String, _ korean: String
  ) {
    self.init(severity, row: row, field: field, IssueText(english, korean))
  }
}
