/// Something that a reader could not take, or that a reader or a writer leaves out.
package struct TaskIssue: Error, Hashable, Sendable {
  /// How bad it is.
  package enum Severity: Hashable, Sendable {
    /// A task, or a part of one, is lost or changed in conversion.
    case warning
    /// A row gives no task; the rows after it were read.
    case error
    /// The rest of the file could not be read.
    case fatal
  }

  /// How bad it is.
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
}
