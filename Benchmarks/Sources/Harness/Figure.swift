/// The result of one engine on one workload: a line of the report.
package struct Figure: Sendable, Hashable {
  /// The workload's name.
  package var workload: String
  /// The engine's name.
  package var engine: String
  /// The objects that the time was divided by.
  package var objects: Int
  /// The median.
  package var nanosecondsPerObject: Double
  /// The 25th percentile of the same times, which one slow round in four does not change.
  package var firstQuartile: Double
  /// The time against that of each peer of the same run, by the peer's name.
  package var ratios: [String: Double]
  /// (slowest - fastest) / median.
  package var spread: Double
  /// Equal for all engines of the workload.
  package var checksum: String
  /// The store's files after the last round.
  package var fileBytes: Int
  /// The largest growth of resident memory in any round.
  package var peakBytes: Int
  /// What the last round gave to the system to write; 0 where that was not counted.
  package var writtenBytes: Int

  /// The peers that reports have a column for: raw LMDB and SQLite in C, and GRDB's prepared statements.
  package static let peers = ["lmdb", "sqlite", "grdb"]

  /// Makes a figure.
  package init(
    workload: String, engine: String, objects: Int, nanosecondsPerObject: Double,
    firstQuartile: Double? = nil, ratios: [String: Double], spread: Double, checksum: String,
    fileBytes: Int, peakBytes: Int, writtenBytes: Int = 0
  ) {
    self.workload = workload
    self.engine = engine
    self.objects = objects
    self.nanosecondsPerObject = nanosecondsPerObject
    self.firstQuartile = firstQuartile ?? nanosecondsPerObject
    self.ratios = ratios
    self.spread = spread
    self.checksum = checksum
    self.fileBytes = fileBytes
    self.peakBytes = peakBytes
    self.writtenBytes = writtenBytes
  }

  /// One JSON object without a line break, keys always in the same order.
  ///
  /// Names and checksums hold letters, digits and hyphens only, so nothing needs escaping.
  package var json: String {
    let fields = [
      "\"workload\":\"\(workload)\"", "\"engine\":\"\(engine)\"", "\"objects\":\(objects)",
      "\"nanosecondsPerObject\":\(rounded(nanosecondsPerObject, 10))",
      "\"firstQuartile\":\(rounded(firstQuartile, 10))",
      "\"ratioToRawLMDB\":\(ratios["lmdb"].map { "\(rounded($0, 1000))" } ?? "null")",
      "\"spread\":\(rounded(spread, 1000))", "\"checksum\":\"\(checksum)\"",
      "\"fileBytes\":\(fileBytes)", "\"peakBytes\":\(peakBytes)",
    ]
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// To one part of a whole; JSON readers get no digits that mean nothing.
  private func rounded(_ value: Double, _ parts: Double) -> Double {
    (value * parts).rounded() / parts
  }
}
