package import Harness

/// One row, measured on several libraries that took turns.
package struct StreamComparison: Sendable {
  /// One library's result.
  package struct Figure: Sendable {
    /// The library's name.
    package let library: String
    /// Nanoseconds a unit, over the rounds.
    package let nanoseconds: Summary
    /// Allocations a unit, of the worst round.
    package let allocations: Double
  }

  /// What was measured.
  package let row: StreamRow
  /// How many units a round had.
  package let units: Int
  /// One figure a library, in the order given.
  package let figures: [Figure]

  /// Lets libraries run in turn and summarises.
  ///
  /// Libraries that have no such thing are left out. A round of each comes first to warm up;
  /// each round starts with another library.
  ///
  /// - Throws: `StreamDisagreement` when subscribers did not hear the same.
  package init(
    of row: StreamRow, among libraries: [any StreamLibrary.Type], size: Int, rounds: Int
  ) throws {
    let libraries = libraries.filter { row.round(of: $0, size: 1) != nil }
    var samples = libraries.map { _ in [StreamSample]() }
    for round in 0...rounds {
      for turn in libraries.indices {
        let index = (round + turn) % libraries.count
        if let sample = row.round(of: libraries[index], size: size) {
          samples[index].append(sample)
        }
      }
    }
    let sums = samples.map { Set($0.map(\.sum)) }
    guard Set(sums.joined()).count == 1 else {
      throw StreamDisagreement(
        row: row.name, sums: zip(libraries.map { $0.name }, sums).map { "\($0): \($1.sorted())" })
    }
    self.row = row
    units = samples.first?.first?.units ?? 0
    figures = zip(libraries, samples).map { library, samples in
      Figure(
        library: library.name,
        nanoseconds: Summary(samples.dropFirst().map(\.nanoseconds)),
        allocations: samples.dropFirst().map(\.allocations).max() ?? 0)
    }
  }

  /// The figure of a library; nil when it did not run.
  package func figure(of library: any StreamLibrary.Type) -> Figure? {
    figures.first { $0.library == library.name }
  }

  /// How many times as long one figure took as a library did.
  package func ratio(of figure: Figure, to library: any StreamLibrary.Type) -> Double? {
    guard let other = self.figure(of: library), other.nanoseconds.median > 0 else { return nil }
    return figure.nanoseconds.median / other.nanoseconds.median
  }
}

/// Libraries whose subscribers did not hear the same: no figure of theirs counts.
package struct StreamDisagreement: Error, CustomStringConvertible {
  let row: String
  let sums: [String]

  /// The row and what each library found.
  package var description: String {
    "\(row): the libraries do not agree, so no figure counts. Sums: "
      + sums.joined(separator: "; ")
  }
}
