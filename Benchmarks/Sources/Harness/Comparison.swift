/// One workload, measured on several engines that took turns.
package struct Comparison: Sendable {
  /// The workload's name.
  package let workload: String
  /// One figure an engine, in the order given.
  package let figures: [Figure]

  /// Lets contestants run in turn and summarises.
  ///
  /// One round of each comes first to warm up and counts for memory only. Each round starts with
  /// another contestant, so that no engine always runs after the same one.
  ///
  /// - Parameter rounds: measured rounds, at least 1.
  /// - Throws: what a contestant throws; `Disagreement` when checksums differ.
  package init(
    of workload: String, among contestants: [any Contestant], rounds: Int
  ) throws {
    var samples = contestants.map { _ in [Sample]() }
    for round in 0...rounds {
      for turn in contestants.indices {
        let index = (round + turn) % contestants.count
        samples[index].append(try contestants[index].round())
      }
    }
    let names = contestants.map(\.name)
    if let disagreement = Disagreement(of: workload, names, samples) { throw disagreement }
    self.workload = workload
    figures = Comparison.figures(workload, names, samples)
  }

  private static func figures(
    _ workload: String, _ names: [String], _ samples: [[Sample]]
  ) -> [Figure] {
    let summaries = samples.map { rounds in
      Summary(rounds.dropFirst().map { $0.nanoseconds / Double($0.objects) })
    }
    func ratios(_ index: Int) -> [String: Double] {
      let peers = names.indices.filter {
        Figure.peers.contains(names[$0]) && summaries[$0].median > 0
      }
      return Dictionary(
        uniqueKeysWithValues: peers.map {
          (names[$0], summaries[index].median / summaries[$0].median)
        })
    }
    return names.indices.map { index in
      let last = samples[index][samples[index].count - 1]
      return Figure(
        workload: workload, engine: names[index], objects: last.objects,
        nanosecondsPerObject: summaries[index].median,
        firstQuartile: summaries[index].firstQuartile,
        ratios: ratios(index), spread: summaries[index].spread, checksum: last.checksum,
        fileBytes: last.fileBytes,
        peakBytes: samples[index].map(\.peakBytes).max() ?? 0, writtenBytes: last.writtenBytes)
    }
  }
}

/// Engines that do not hold the same objects after the same work: no figure of theirs counts.
package struct Disagreement: Error, CustomStringConvertible {
  private let workload: String
  private let found: [(engine: String, checksums: [String])]

  /// Compares every round of every engine; nil when all checksums and object counts are equal.
  fileprivate init?(of workload: String, _ names: [String], _ samples: [[Sample]]) {
    let marks = samples.map { rounds in
      Array(Set(rounds.map { "\($0.checksum) over \($0.objects) objects" })).sorted()
    }
    guard Set(marks.joined()).count > 1 else { return nil }
    self.workload = workload
    found = zip(names, marks).map { ($0, $1) }
  }

  /// The workload and what each engine found.
  package var description: String {
    let lines = found.map { "  \($0.engine): \($0.checksums.joined(separator: ", then "))" }
    return "\(workload): the engines do not agree, so no figure counts. Checksums:\n"
      + lines.joined(separator: "\n")
  }
}
