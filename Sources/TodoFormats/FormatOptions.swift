package import Foundation

/// The options of a reader and of a writer, besides the format.
package struct FormatOptions: Sendable {
  /// The time zone in which moments are read and written, and days that a file writes as moments.
  package var timeZone: TimeZone
  /// The name of the file, from which some formats take the group; nil for a stream.
  package var fileName: String?
  /// The columns of a table and their fields; nil to find the fields by the columns' names.
  package var columns: ColumnMap?

  /// The time of writing, for formats that store it in the file.
  package var now: Date

  /// Makes options.
  package init(
    timeZone: TimeZone = .current, fileName: String? = nil, columns: ColumnMap? = nil,
    now: Date = .now
  ) {
    self.now = now
    self.timeZone = timeZone
    self.fileName = fileName
    self.columns = columns
  }

  /// The name of the file without folders and its last extension; nil without one.
  var fileStem: String? {
    guard let name = fileName?.split(separator: "/").last, !name.isEmpty else { return nil }
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return String(name) }
    return String(name[..<point])
  }
}
