import Engines
import Foundation
import Harness
import Testing

/// Every search of titles runs tiny on every engine that can, and finds what a plain loop finds.
@Suite struct TextEnginesTests {
  private func withDirectory<R>(_ body: (String) throws -> R) throws -> R {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
  }

  /// Without case and marks, one scalar after the other.
  private func folded(_ text: String) -> [Unicode.Scalar] {
    text.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars.filter {
      !(0x300...0x36F).contains($0.value)
    }
  }

  private func contains<Element: Equatable>(_ text: [Element], _ part: [Element]) -> Bool {
    text.indices.contains { text[$0...].starts(with: part) }
  }

  @Test(arguments: TextWorkload.all.indices)
  func enginesFindWhatAPlainLoopFinds(workload: Int) throws {
    let workload = TextWorkload.all[workload]
    let titles = workload.titles(10_000)
    let expected = workload.searched.map { text in
      titles.count { title in
        workload.comparison == .exact
          ? contains(Array(title.utf8), Array(text.utf8)) : contains(folded(title), folded(text))
      }
    }
    #expect(expected[0] > expected[1] && expected[1] > 0 && expected[2] == 0)
    for type in types(workload) {
      try withDirectory { directory in
        let engine = try type.init(at: directory + "/store", holding: titles)
        let found = try workload.searched.map {
          try engine.count($0, workload.comparison)
        }
        try engine.close()
        #expect(found == expected, "\(type.name)")
      }
    }
  }

  @Test(arguments: TextWorkload.all.indices)
  func trialsAgreeAndLeaveNothing(workload: Int) throws {
    let workload = TextWorkload.all[workload]
    let types = types(workload)
    try withDirectory { directory in
      let trials = try types.map { try TextTrial($0, workload, size: 300, in: directory) }
      // Throws where engines or rounds disagree.
      let comparison = try Comparison(of: workload.name, among: trials, rounds: 1)
      for trial in trials { try trial.finish() }
      #expect(comparison.figures.map(\.engine) == types.map { $0.name })
      #expect(comparison.figures.allSatisfy { $0.objects == 150 * 3 && $0.fileBytes > 0 })
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    }
  }

  /// Otherwise a folded search would be an exact one by another name.
  @Test func foldingFindsMore() throws {
    let titles = try #require(TextWorkload.named("scan-text-french")?.first).titles(1_000)
    try withDirectory { directory in
      let engine = try CroftTextEngine(at: directory + "/store", holding: titles)
      #expect(try engine.count("FORET", .exact) == 0)
      let exact = try engine.count("forêt", .exact)
      #expect(try engine.count("FORET", .folded) > exact)
      engine.close()
    }
  }

  /// An engine that cannot fold é is left out where that is asked for.
  @Test func onlyEnginesThatCanTakePart() throws {
    let folded = try #require(TextWorkload.named("scan-text-french")?.first)
    #expect(types(folded).map { $0.name } == ["croft", "grdb-swift"])
    for workload in TextWorkload.all where workload.name != folded.name {
      let isOfWords = workload.comparison == .matches
      #expect(types(workload).count == (isOfWords ? 1 : Engines.text.count))
    }
    for type in Engines.text { #expect(try !type.about().isEmpty) }
  }

  private func types(_ workload: TextWorkload) -> [any TextEngine.Type] {
    Engines.text.filter(workload.takes)
  }
}
