import CroftFoundation
import TodoFormats

/// The keys under which imported items are stored, each once.
///
/// The key of a task is the format and the id that the file gives it. The key of a task without an id
/// names the format only: ``ImportMatches`` finds its item by what the file says.
struct ImportKey {
  private let format: TaskFormat
  /// The keys that items have already.
  private let taken: Set<String>
  private var counts: [String: Int] = [:]

  /// - Parameter taken: The keys of the items that are stored.
  init(_ format: TaskFormat, taken: Set<String>) {
    self.format = format
    self.taken = taken
  }

  /// The key of the id that a record has in its file; nil without an id.
  ///
  /// A UUID is the same id in upper and in lower case.
  static func key(ofID record: TaskRecord, in format: TaskFormat) -> String? {
    guard let id = record.foreignID else { return nil }
    // The occurrences of a recurrence have its id.
    return key(ofID: id, in: format) + (record.occurrence.map { " \($0)" } ?? "")
  }

  private static func key(ofID id: String, in format: TaskFormat) -> String {
    "\(format.name)/\(UUID(uuidString: id) == nil ? id : id.lowercased())"
  }

  /// A stored key, as `key(ofID:in:)` gives it: older versions kept the case of a UUID.
  static func normalized(_ key: String) -> String {
    guard let format = format(of: key), key.hasPrefix(format.name + "/") else { return key }
    return self.key(ofID: String(key.dropFirst(format.name.count + 1)), in: format)
  }

  /// The key of a new item.
  mutating func next(for record: TaskRecord) -> String {
    if let key = Self.key(ofID: record, in: format) { return key }
    let seconds = record.createdAt.map { String(Int64($0.timeIntervalSince1970)) } ?? ""
    let content = "\(seconds)/\(record.title)"
    while true {
      counts[content, default: 0] += 1
      let key = "\(format.name)#\(counts[content, default: 1])/\(content)"
      if !taken.contains(key) { return key }
    }
  }

  /// Whether a key is that of a task without an id in its file.
  static func hasNoID(_ key: String) -> Bool {
    format(of: key).map { key.hasPrefix($0.name + "#") } ?? false
  }

  /// The format of a key; nil without one.
  static func format(of key: String?) -> TaskFormat? {
    key?.split(whereSeparator: { $0 == "/" || $0 == "#" }).first
      .flatMap { TaskFormat(name: String($0)) }
  }
}
