package import Harness

/// The engines, in the order of a report.
package enum Engines {
  /// Every engine.
  package static let all: [any Engine.Type] = [
    CroftEngine.self, LMDBEngine.self, GRDBEngine.self, GRDBRecordEngine.self,
  ]

  /// The engines with live queries, in the order of a report.
  package static let live: [any LiveEngine.Type] = [CroftLiveEngine.self, GRDBLiveEngine.self]

  /// The engine of a name; nil when there is none.
  package static func named(_ name: String) -> (any Engine.Type)? {
    all.first { $0.name == name }
  }
}
