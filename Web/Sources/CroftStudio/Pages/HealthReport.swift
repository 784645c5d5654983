import Croft
import Foundation
import PageServer

/// How a store is: its sizes, its readers, its journal and its log, and what a check of all of it found.
struct HealthReport {
  /// How many problems of a check are shown.
  static let problemsShown = 100

  private let statistics: StoreStatistics
  private let path: String
  private let verification: Verification?

  /// Looks at a store; with a check all of it is read.
  ///
  /// - Throws: An error of the store.
  init(of store: ShownStore, verifies: Bool) throws {
    verification = verifies ? try store.verify(keepingProblems: Self.problemsShown) : nil
    statistics = try store.use { try $0.statistics }
    path = store.path
  }

  /// The values for the template.
  var values: [String: Any] {
    var values: [String: Any] = [
      "title": "Health", "facts": facts,
      "readers": statistics.readers.map(Self.values), "hasReaders": !statistics.readers.isEmpty,
    ]
    if let verification { values["verification"] = Self.values(of: verification) }
    return values
  }

  /// The sizes as a text that changes with them, whichever readers there are.
  var rows: GridEvents.Rows {
    let log = statistics.log.map { "\($0.entries)" } ?? ""
    return GridEvents.Rows(
      "\(statistics.fileBytes) \(statistics.freeBytes) \(Self.journal(beside: path)) \(log)")
  }

  private var facts: [[String: Any]] {
    func fact(_ name: String, _ value: String) -> [String: Any] { ["name": name, "value": value] }
    var facts = [
      fact("File", Self.size(statistics.fileBytes)),
      fact("Free pages", "\(statistics.freePages) (\(Self.size(statistics.freeBytes)))"),
      fact("Page", Self.size(statistics.pageBytes)),
      fact("Map", Self.size(statistics.mapBytes)),
      fact("Kept by readers", Self.size(statistics.pinnedBytes)),
      fact("Journal", Self.journal(beside: path)),
    ]
    let log = statistics.log.map { "\($0.entries) commits, \(Self.size($0.bytes))" }
    facts.append(fact("Log of commits", log ?? "none"))
    return facts
  }

  private static func journal(beside path: String) -> String {
    let file = URL(filePath: path).resolvingSymlinksInPath().path + "-journal"
    // The error is ignored: it says that there is no such file, or none that may be looked at.
    let values = try? URL(filePath: file).resourceValues(forKeys: [.fileSizeKey])
    return values?.fileSize.map(size) ?? "none"
  }

  private static func values(of reader: StoreStatistics.Reader) -> [String: Any] {
    [
      "process": reader.process, "name": reader.name?.shown ?? "", "age": age(of: reader),
      "pinned": size(reader.pinnedBytes),
    ]
  }

  /// How old a reader is: of a process other than this one the lock table has the number of the commit alone.
  static func age(of reader: StoreStatistics.Reader) -> String {
    let state =
      switch reader.commitsBehind {
      case ...0: "reads the last commit"
      case 1: "reads the state of 1 commit ago"
      default: "reads the state of \(reader.commitsBehind) commits ago"
      }
    return reader.age.map { "\(state), open for \($0.components.seconds) s" } ?? state
  }

  private static func values(of verification: Verification) -> [String: Any] {
    let left = verification.problemCount - verification.problems.count
    return [
      "isSound": verification.isSound, "rows": verification.rows,
      "entries": verification.indexEntries, "count": verification.problemCount,
      "problems": verification.problems.map(\.shown), "hasMore": left > 0, "more": left,
      "isMended": verification.isMendedByRebuildingIndexes,
    ]
  }

  /// A size for people.
  static func size(_ bytes: Int) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var (size, unit) = (Double(bytes), 0)
    while size >= 1024, unit < units.count - 1 {
      size /= 1024
      unit += 1
    }
    return unit == 0 ? "\(bytes) bytes" : "\((size * 10).rounded() / 10) \(units[unit])"
  }
}
