import Foundation
import Harness
import Testing

@Suite struct TextWorkloadTests {
  @Test func aNameMeansOneWorkloadAndTheGroupAll() {
    for workload in TextWorkload.all {
      #expect(TextWorkload.named(workload.name)?.map(\.name) == [workload.name])
      #expect(Workloads.named(workload.name) == nil && LiveWorkload.named(workload.name) == nil)
    }
    #expect(TextWorkload.named(TextWorkload.group)?.count == 9)
    #expect(Workloads.named(TextWorkload.group) == nil)
    #expect(TextWorkload.named("scan-texts") == nil)
  }

  @Test func everyTwoObjectsAreOneTitle() {
    for workload in TextWorkload.all {
      #expect(workload.titles(100_000).count == 50_000)
      #expect(workload.titles(1).count == 1)
    }
  }

  /// Reports of different days must be about the same titles: these change only with intent.
  @Test func theSeedFixesEveryTitle() throws {
    let last = try ["ascii", "korean", "french"].map { script in
      try #require(TextWorkload.named("scan-text-\(script)")?.first).titles(2_000).last
    }
    #expect(last == ["shadow ROAD stone", "그림자 바닷길 돌담", "ombre CHAUSSÉE pierre"])
  }

  @Test func titlesAreShortAndComposed() {
    for workload in TextWorkload.all {
      for title in workload.titles(2_000) {
        #expect((2...4).contains(title.split(separator: " ").count))
        #expect((5...60).contains(title.utf8.count))
        #expect(Array(title.precomposedStringWithCanonicalMapping.utf8) == Array(title.utf8))
        #expect(title.utf8.allSatisfy { $0 < 0x80 } || !workload.name.contains("ascii"))
      }
    }
  }
}
