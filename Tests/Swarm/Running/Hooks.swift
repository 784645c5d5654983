import Croft
import LMDB

// What only builds for debugging, and those with `-D CROFT_SWARM`, let a test do.

enum Hooks {
  /// Every threshold, by its module and name, with the values that it takes.
  static var thresholds: [(name: String, range: ClosedRange<Int>)] {
    LMDB.Threshold.allCases.map { ("LMDB.\($0)", $0.range) }
      + Croft.Threshold.allCases.map { ("Croft.\($0)", $0.range) }
  }

  #if DEBUG || CROFT_SWARM
    /// Sets thresholds, the others to their standard values.
    ///
    /// No store may be open.
    static func set(_ values: [String: Int]) {
      for threshold in LMDB.Threshold.allCases {
        threshold.value = values["LMDB.\(threshold)"] ?? threshold.range.upperBound
      }
      for threshold in Croft.Threshold.allCases {
        threshold.value = values["Croft.\(threshold)"] ?? threshold.range.upperBound
      }
    }

    static var unreachedMarks: Set<String> {
      Set(LMDB.CoverageMark.allCases.filter { !$0.isReached }.map { "LMDB.\($0)" })
        .union(Croft.CoverageMark.allCases.filter { !$0.isReached }.map { "Croft.\($0)" })
    }

    /// Runs a body with one plan of those that can serve each query; how many there were.
    static func force<T: ~Copyable>(
      _ place: Int, _ transaction: inout T, _ body: (inout T) throws -> Void
    ) rethrows -> Int {
      let forced = ForcedPlan(place)
      try ForcedPlan.$current.withValue(forced) { try body(&transaction) }
      return forced.count
    }
  #else
    static func set(_ values: [String: Int]) {}
    static var unreachedMarks: Set<String> { [] }
    static func force<T: ~Copyable>(
      _ place: Int, _ transaction: inout T, _ body: (inout T) throws -> Void
    ) rethrows -> Int {
      try body(&transaction)
      return 1
    }
  #endif

  static var allMarks: Int {
    LMDB.CoverageMark.allCases.count + Croft.CoverageMark.allCases.count
  }
}
