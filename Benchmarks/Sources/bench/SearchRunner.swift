import Engines
import Harness

/// Runs the workloads of searches, all engines in this process.
///
/// An engine keeps the texts of a corpus from one workload to the next.
final class SearchRunner {
  private let size: Int
  private let rounds: Int
  private let directory: String
  private var corpus: SearchCorpus?
  private var stores: [(name: String, store: SearchStore)] = []
  private var texts: [String] = []

  /// Prepares to measure.
  ///
  /// - Parameters:
  ///   - size: How many titles there are.
  ///   - rounds: Measured rounds, after one to warm up.
  ///   - directory: The folder of the stores.
  init(size: Int, rounds: Int, directory: String) {
    (self.size, self.rounds, self.directory) = (size, rounds, directory)
  }

  /// Measures one workload on the engines that take part.
  func compare(_ workload: SearchWorkload) throws -> Comparison {
    if corpus != workload.corpus {
      try finish()
      corpus = workload.corpus
      texts = workload.corpus.texts(size)
    }
    let trials = try workload.engines.map { name in
      SearchTrial(workload, on: try store(of: name, workload.corpus))
    }
    return try Comparison(of: workload.name, among: trials, rounds: rounds)
  }

  private func store(of name: String, _ corpus: SearchCorpus) throws -> SearchStore {
    if let known = stores.first(where: { $0.name == name }) { return known.store }
    guard let type = Engines.search.first(where: { $0.name == name }) else {
      throw NoSuchEngine(name: name)
    }
    let store = try SearchStore(type, corpus, texts, in: directory)
    stores.append((name, store))
    return store
  }

  /// Closes the stores and removes their files.
  func finish() throws {
    for (_, store) in stores { try store.finish() }
    stores = []
  }
}

/// A workload names an engine that there is not.
private struct NoSuchEngine: Error, CustomStringConvertible {
  let name: String
  var description: String { "there is no engine '\(name)' that searches" }
}
