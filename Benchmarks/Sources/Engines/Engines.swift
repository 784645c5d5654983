package import Harness

/// The engines, in the order of a report.
package enum Engines {
  /// Every engine.
  package static let all: [any Engine.Type] = [
    CroftEngine.self, CroftWithoutJournalEngine.self, LMDBEngine.self, SQLiteEngine.self,
    GRDBEngine.self, GRDBRecordEngine.self,
  ]

  /// The engines with live queries, in the order of a report.
  package static let live: [any LiveEngine.Type] = [CroftLiveEngine.self, GRDBLiveEngine.self]

  /// The engines whose observers hear of other processes; GRDB's observe one connection's process.
  package static let shared: [any SharedLiveEngine.Type] = [CroftLiveEngine.self]

  /// The engines that search texts, in the order of a report.
  package static let text: [any TextEngine.Type] = [
    CroftTextEngine.self, GRDBTextEngine.self, GRDBSwiftTextEngine.self,
  ]

  /// The engines with an index for searches, and what they are measured against, in the order of a report.
  package static let search: [any SearchEngine.Type] = [
    CroftSearchEngine.self, CroftSegmentsSearchEngine.self, FTS5SearchEngine.self,
    TrigramSearchEngine.self, CroftScanSearchEngine.self, LikeSearchEngine.self,
  ]

  /// The engine of a name; nil when there is none.
  package static func named(_ name: String) -> (any Engine.Type)? {
    all.first { $0.name == name }
  }
}
