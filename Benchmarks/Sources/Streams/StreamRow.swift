/// One thing that is measured on all stream libraries.
package struct StreamRow: Sendable {
  /// The name in reports and after `--only`.
  package let name: String
  /// What the time is divided by.
  package let unit: String
  /// What Reactive takes at most, in nanoseconds a unit; nil for no limit of its own.
  package let targetNanoseconds: Double?
  /// What Reactive allocates at most, a unit.
  package let allowedAllocations: Double
  /// How many units one call of the library's operation is.
  let unitsPerOperation: Int
  /// Whether one is so long that a tenth of the usual count is measured.
  let isLong: Bool
  let body: @Sendable (any StreamLibrary.Type, Meter, Int) -> Int?

  private init(
    _ name: String, per unit: String = "event", targetNanoseconds: Double? = nil,
    allowedAllocations: Double = 0, unitsPerOperation: Int = 1, isLong: Bool = false,
    _ body: @escaping @Sendable (any StreamLibrary.Type, Meter, Int) -> Int?
  ) {
    self.name = name
    self.unit = unit
    self.targetNanoseconds = targetNanoseconds
    self.allowedAllocations = allowedAllocations
    self.unitsPerOperation = unitsPerOperation
    self.isLong = isLong
    self.body = body
  }

  /// How many times faster than OpenCombine Reactive has to be.
  package static let targetFactor = 2.5

  /// Every row, in the order of a report.
  ///
  /// A subject may take 35 ns an event, every further operator 6; a subscription 4 allocations
  /// and one for each operator.
  package static let all: [StreamRow] = [
    StreamRow("subject-1", targetNanoseconds: 35) { $0.subject(subscribers: 1, $1, $2) },
    StreamRow("subject-2") { $0.subject(subscribers: 2, $1, $2) },
    StreamRow("subject-10") { $0.subject(subscribers: 10, $1, $2) },
    StreamRow("subject-1000", per: "delivered event", unitsPerOperation: 1000) {
      $0.subject(subscribers: 1000, $1, $2)
    },
    StreamRow("subject-chain", targetNanoseconds: 35 + 3 * 6) { $0.subjectChain($1, $2) },
    StreamRow("range-chain", targetNanoseconds: 35 + 3 * 6) { $0.rangeChain($1, $2) },
    StreamRow("chain-12", targetNanoseconds: 35 + 12 * 6) { $0.longChain($1, $2) },
    // Built each time: an observable beside the sink of each operator.
    StreamRow(
      "chain-12-built", per: "subscription", allowedAllocations: 4 + 12 * 2, isLong: true
    ) { $0.longChainBuilt($1, $2) },
    StreamRow("current-value") { $0.currentValue($1, $2) },
    StreamRow("combine-latest-2", targetNanoseconds: 60) { $0.combineLatest($1, $2) },
    StreamRow("zip-2", per: "pair") { $0.zip($1, $2) },
    StreamRow("flat-map-just", targetNanoseconds: 200, allowedAllocations: 2) {
      $0.flatMapJust($1, $2)
    },
    StreamRow("flat-map-latest-just", allowedAllocations: 2) { $0.flatMapLatestJust($1, $2) },
    StreamRow("share-replay-2") { $0.shareReplay($1, $2) },
    StreamRow("subscribe", per: "subscription", allowedAllocations: 4, isLong: true) {
      $0.subscription($1, $2)
    },
    StreamRow("subscribe-chain", per: "subscription", allowedAllocations: 4 + 2, isLong: true) {
      $0.chainSubscription($1, $2)
    },
  ]

  /// The word that stands for all rows.
  package static let group = "reactive"

  /// The rows of a name, or all of them for the group's; nil when the word names nothing.
  package static func named(_ word: String) -> [StreamRow]? {
    if word == group { return all }
    let found = all.filter { $0.name == word }
    return found.isEmpty ? nil : found
  }

  /// Measures one round of it; nil when the library has no such thing.
  ///
  /// - Parameter size: scales how many operations a round has.
  package func round(of library: any StreamLibrary.Type, size: Int) -> StreamSample? {
    let operations = max(1, (isLong ? size : size * 10) / unitsPerOperation)
    let meter = Meter()
    guard let sum = body(library, meter, operations) else { return nil }
    let units = Double(operations * unitsPerOperation)
    return StreamSample(
      nanoseconds: meter.nanoseconds / units, allocations: Double(meter.allocations) / units,
      units: operations * unitsPerOperation, sum: sum)
  }
}

/// What one library did in one round of one row.
package struct StreamSample: Sendable {
  /// Nanoseconds a unit.
  package let nanoseconds: Double
  /// Allocations a unit.
  package let allocations: Double
  /// How many units there were.
  package let units: Int
  /// What the subscribers heard; equal for all libraries.
  package let sum: Int
}
