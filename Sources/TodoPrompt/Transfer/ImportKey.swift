import TodoFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The ids by which a second import of a file finds the items of the first one.
///
/// A task is known by the format and its id there. A task without an id is known by its title, the
/// time at which it was made, and its place among those that are the same in both.
struct ImportKey {
  private let format: TaskFormat
  private var counts: [String: Int] = [:]

  init(_ format: TaskFormat) { self.format = format }

  /// The key of the next record of a file.
  mutating func next(for record: TaskRecord) -> String {
    if let id = record.foreignID { return "\(format.name)/\(id)" }
    let seconds = record.createdAt.map { String(Int64($0.timeIntervalSince1970)) } ?? ""
    let content = "\(seconds)/\(record.title)"
    counts[content, default: 0] += 1
    return "\(format.name)#\(counts[content, default: 1])/\(content)"
  }

  /// The format of a key; nil without one.
  static func format(of key: String?) -> TaskFormat? {
    key?.split(whereSeparator: { $0 == "/" || $0 == "#" }).first
      .flatMap { TaskFormat(name: String($0)) }
  }
}
