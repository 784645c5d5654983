/// A format of files that hold tasks.
package enum TaskFormat: String, Hashable, Codable, Sendable, CaseIterable {
  /// The lines of todo.txt.
  case todoTxt = "todo.txt"
  /// The output of `task export`: JSON objects, in an array or one a line.
  case taskwarrior
  /// The to-dos of iCalendar (RFC 5545).
  case vtodo
  /// A project as Todoist exports it.
  case todoist
  /// A backup as TickTick exports it.
  case ticktick
  /// Markdown's task lists, with the signs of Obsidian Tasks.
  case markdown
  /// Any table with a header, in which columns are mapped to fields.
  case csv
  /// An array of objects with keys of our own.
  case json
  /// Objects with keys of our own, one a line.
  case ndjson

  /// The name, as options give it.
  package var name: String { rawValue }

  /// Finds a format by its name, whatever the case; nil for an unknown one.
  package init?(name: String) {
    self.init(rawValue: name.lowercased())
  }
}
