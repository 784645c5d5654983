import Engines
import Foundation
import Harness
import Testing

/// Every workload runs tiny on every engine, so that none of them rots.
@Suite struct EnginesTests {
  private static let dataset = Dataset(size: 500)

  /// One of each pair: an engine's place and a workload's.
  @Test(arguments: Engines.all.indices, Workloads.all.indices)
  func itAgreesWithThePlainTwin(engine: Int, workload: Int) throws {
    let workload = Workloads.all[workload]
    let expected = try samples(ReferenceEngine.self, workload)
    let found = try samples(Engines.all[engine], workload)
    #expect(Set(found.map(\.checksum)) == Set(expected.map(\.checksum)))
    #expect(Set(found.map(\.objects)) == Set(expected.map(\.objects)))
    #expect(found.allSatisfy { $0.nanoseconds > 0 && $0.fileBytes > 0 && $0.peakBytes >= 0 })
  }

  /// Otherwise equal checksums would say little.
  @Test func workloadsLeaveDifferentChecksums() throws {
    let checksums = try ["insert-indexed", "insert-plain", "delete-quarter", "delete-each"]
      .flatMap { try samples(ReferenceEngine.self, try #require(Workloads.named($0)?.first)) }
      .map(\.checksum)
    #expect(Set(checksums).count == 4)
  }

  @Test func eachEngineSaysWhatItIs() throws {
    for engine in Engines.all {
      let about = try engine.about()
      #expect(!about.versions.isEmpty)
      #expect(!about.sync.isEmpty)
    }
  }

  @Test func aFinishedTrialLeavesOnlyThePopulatedStore() throws {
    for engine in Engines.all {
      try withDirectory { directory in
        for workload in Workloads.all {
          try Trial.populate(engine, EnginesTests.dataset, in: directory)
          let trial = Trial(engine, workload, EnginesTests.dataset, in: directory)
          _ = try trial.round()
          try trial.finish()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(names == ["\(engine.name)-populated"])
      }
    }
  }

  @Test func aVerbOnAClosedStoreIsAnError() {
    for engine in Engines.all {
      let closed = engine.init(EnginesTests.dataset, schema: .indexed)
      #expect(throws: (any Error).self) { try closed.insertAll() }
      #expect(throws: (any Error).self) { try closed.scan() }
    }
  }

  /// Two rounds, so that the remains of the first cannot change the second.
  private func samples(
    _ engine: any Engine.Type, _ workload: any Workload
  ) throws -> [Sample] {
    try withDirectory { directory in
      try Trial.populate(engine, EnginesTests.dataset, in: directory)
      let trial = Trial(engine, workload, EnginesTests.dataset, in: directory)
      let samples = [try trial.round(), try trial.round()]
      try trial.finish()
      return samples
    }
  }

  private func withDirectory<R>(_ body: (String) throws -> R) throws -> R {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
  }
}
