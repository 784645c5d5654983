import Harness
import Streams
import Testing

/// Every row runs tiny on every library, so that none of them rots.
@Suite struct StreamRowTests {
  @Test(arguments: StreamRow.all.map(\.name))
  func everyLibraryHearsTheSame(name: String) throws {
    let row = try #require(StreamRow.named(name)?.first)
    let comparison = try StreamComparison(of: row, among: StreamLibraries.all, size: 20, rounds: 1)
    let hasAll = name != "combine-latest-2"
    #expect(
      comparison.figures.map(\.library)
        == ["loop", "reactive"] + (hasAll ? ["opencombine"] : []))
    #expect(comparison.figures.allSatisfy { $0.nanoseconds.median > 0 })
  }

  @Test func theGroupNamesAllRowsAndANameOne() {
    #expect(StreamRow.named("reactive")?.count == StreamRow.all.count)
    #expect(StreamRow.named("zip-2")?.count == 1)
    #expect(StreamRow.named("nothing") == nil)
    #expect(Set(StreamRow.all.map(\.name)).count == StreamRow.all.count)
  }
}
