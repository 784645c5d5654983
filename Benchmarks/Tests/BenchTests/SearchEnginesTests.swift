import Engines
import Foundation
import Harness
import Testing

/// Every workload of searches runs tiny on its engines, which agree.
@Suite struct SearchEnginesTests {
  @Test func enginesAgreeAndLeaveNothing() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    for corpus in SearchCorpus.allCases {
      let texts = corpus.texts(300)
      let stores = try Engines.search.map { type in
        (type.name, try SearchStore(type, corpus, texts, in: url.path))
      }
      for workload in SearchWorkload.all where workload.corpus == corpus {
        let trials = workload.engines.compactMap { name in
          stores.first { $0.0 == name }.map { SearchTrial(workload, on: $0.1) }
        }
        // Throws where engines or rounds disagree.
        let comparison = try Comparison(of: workload.name, among: trials, rounds: 1)
        #expect(comparison.figures.map(\.engine) == workload.engines)
        let croft = try #require(comparison.figures.first)
        #expect(croft.fileBytes > 0 && croft.nanosecondsPerObject > 0)
      }
      for (_, store) in stores { try store.finish() }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == [])
    for type in Engines.search { #expect(try !type.about().isEmpty) }
  }
}
