import Foundation
import Harness
import Testing

@Suite struct FiguresPageTests {
  @Test func storesHaveARowForEachWorkloadAndTheTargetsBelow() {
    let figures = [
      figure("delete-all", "croft", 12_300, lmdb: 2.5, grdb: 0.04),
      figure("delete-all", "lmdb", 4_920), figure("delete-all", "grdb", 307_500),
    ]
    var page = FiguresPage(command: "Scripts/bench", date: "2026-11-22")
    page.sections = [.stores(figures, head: ["1000 objects", "Swift 6"])]
    #expect(
      page.text.contains(
        """
        ## Stores

        - 1000 objects
        - Swift 6

        ![How many times faster than each peer Croft is](Stores.svg)

        | workload | objects | croft | spread | x lmdb | x sqlite | x grdb | file MB | peak MB |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        | delete-all | 1000 | 12.3 µs | 4% | 2.50 | - | 0.04 | 1.5 | 2.0 |

        | workload | croft's | against | bound | ratio | verdict |
        | --- | ---: | ---: | ---: | ---: | ---: |
        | delete-all | time | lmdb | <= 2.000 | 2.500 | missed |
        | delete-all | time | grdb | <= 0.050 | 0.040 | met |
        | delete-all | 25th percentile | grdb | <= 1.000 | 0.040 | met |

        ## Recorded from other commands

        """))
    #expect(page.text.contains("Written by `Scripts/bench` on 2026-11-22;"))
  }

  @Test func theEnginesOfAWriteStandSideBySide() {
    let figures = [
      figure("write-single", "croft", 165_700), figure("write-single", "croft-no-journal", 290_000),
      figure("write-single", "sqlite", 150_000), figure("read-key", "sqlite", 700),
    ]
    let tables = FiguresPage.Section.stores(figures, head: []).tables
    #expect(
      tables.last == """
        | workload | engine | time an object | spread |
        | --- | ---: | ---: | ---: |
        | write-single | croft | 165.7 µs | 4% |
        | write-single | croft-no-journal | 290.0 µs | 4% |
        | write-single | sqlite | 150.0 µs | 4% |

        """)
  }

  @Test func liveQueriesHaveARowForEachEngine() {
    let figures = [
      figure("live-wake-up", "croft", 640_000), figure("live-wake-up", "croft-p99", 2_100_000),
      figure("live-change", "croft", 812, grdb: 0.001), figure("live-change", "grdb", 89_000_000),
    ]
    var page = FiguresPage(command: "Scripts/bench", date: "2026-11-22")
    page.sections = [.liveQueries(figures, head: [])]
    let rows = page.text.split(separator: "\n").filter { $0.hasPrefix("| live-") }
    #expect(
      rows.prefix(4) == [
        "| live-wake-up | 1000 | croft | 640.0 µs | 4% | - |",
        "| live-wake-up | 1000 | croft-p99 | 2.1 ms | 4% | - |",
        "| live-change | 1000 | croft | 812 ns | 4% | 0.00 |",
        "| live-change | 1000 | grdb | 89.0 ms | 4% | - |",
      ])
  }

  @Test func whatOtherCommandsGaveNamesItsDayAndItsCommand() {
    let text = FiguresPage(command: "Scripts/bench", date: "2026-11-22").text
    for result in RecordedResult.all {
      #expect(
        text.contains(
          "| \(result.subject) | \(result.result) | \(result.date) | \(result.command) |\n"))
    }
  }

  /// The page that is there has a row for each workload: who adds one writes the page again.
  @Test func thePageOfTheProjectHasARowForEachWorkload() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().appendingPathComponent("../../Figures.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let names =
      Workloads.all.map(\.name) + LiveWorkload.all.map(\.name) + TextWorkload.all.map(\.name)
    for name in names {
      #expect(page.contains("\n| \(name) | "), "write it with Scripts/bench --report")
    }
    #expect(page.contains("Written by `Scripts/bench --size "))
  }

  private func figure(
    _ workload: String, _ engine: String, _ nanoseconds: Double, lmdb: Double? = nil,
    grdb: Double? = nil
  ) -> Figure {
    Figure(
      workload: workload, engine: engine, objects: 1_000, nanosecondsPerObject: nanoseconds,
      ratios: ["lmdb": lmdb, "grdb": grdb].compactMapValues(\.self), spread: 0.04, checksum: "1",
      fileBytes: 1_500_000,
      peakBytes: 2_000_000)
  }
}
