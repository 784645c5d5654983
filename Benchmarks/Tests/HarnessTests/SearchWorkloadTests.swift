import Harness
import Testing

@Suite struct SearchWorkloadTests {
  @Test func aNameMeansOneWorkloadAndTheGroupAll() {
    for workload in SearchWorkload.all {
      #expect(SearchWorkload.named(workload.name)?.map(\.name) == [workload.name])
      #expect(Workloads.named(workload.name) == nil && TextWorkload.named(workload.name) == nil)
    }
    #expect(SearchWorkload.named(SearchWorkload.group)?.count == 34)
    #expect(SearchWorkload.named("searches") == nil)
  }

  @Test func aFifthOfTheTextsAreNotes() {
    #expect(SearchCorpus.titles.texts(100).count == 100)
    #expect(SearchCorpus.notes.texts(100).count == 20)
    #expect(SearchCorpus.notes.texts(1).count == 1)
  }

  /// Reports of different days must be about the same texts: these change only with intent.
  @Test func theSeedFixesEveryText() throws {
    let titles = SearchCorpus.titles.texts(400)
    #expect(titles == SearchCorpus.titles.texts(400))
    for title in titles { #expect((3...8).contains(title.split(separator: " ").count)) }
    for note in SearchCorpus.notes.texts(100) {
      #expect((60...500).contains(note.split(separator: " ").count))
    }
    // A third of them is in one script.
    #expect(titles.count { $0.utf8.allSatisfy { $0 < 0x80 } } >= 100)
  }

  @Test func eachSearchHasQueries() {
    for workload in SearchWorkload.all where workload.part != nil {
      let queries = workload.queries(in: workload.corpus.texts(1_000))
      #expect(queries.count == 8 && queries.allSatisfy { !$0.text.isEmpty })
    }
  }
}
