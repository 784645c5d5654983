import Foundation
import Testing

@testable import TodoWeb

/// What a page becomes that applies batches, against the state that they lead to.
struct PageBatchTests {
  /// A page as a browser holds it.
  private struct Twin {
    var open: [RenderedPage.Row]
    var completed: [RenderedPage.Row]

    init(_ page: RenderedPage) {
      open = page.rows.filter { !$0.isDone }
      completed = page.rows.filter(\.isDone)
    }

    mutating func apply(_ batch: PageBatch) {
      open.removeAll { batch.deleted.contains($0.id) }
      completed.removeAll { batch.deleted.contains($0.id) }
      for placed in batch.placed {
        open.removeAll { $0.id == placed.id }
        completed.removeAll { $0.id == placed.id }
        let row = RenderedPage.Row(id: placed.id, isDone: placed.isDone, html: placed.html)
        if placed.isDone {
          Self.put(row, after: placed.after, in: &completed)
        } else {
          Self.put(row, after: placed.after, in: &open)
        }
      }
      for modified in batch.modified {
        for index in open.indices where open[index].id == modified.id {
          open[index] = .init(id: modified.id, isDone: false, html: modified.html)
        }
        for index in completed.indices where completed[index].id == modified.id {
          completed[index] = .init(id: modified.id, isDone: true, html: modified.html)
        }
      }
    }

    private static func put(
      _ row: RenderedPage.Row, after: String?, in rows: inout [RenderedPage.Row]
    ) {
      guard let after else { return rows.insert(row, at: 0) }
      guard let index = rows.firstIndex(where: { $0.id == after }) else {
        Issue.record("There is no row \(after) to put \(row.id) behind.")
        return
      }
      rows.insert(row, at: index + 1)
    }
  }

  private static func page(_ rows: [(id: Int, isDone: Bool, look: Int)]) -> RenderedPage {
    RenderedPage(
      rows: rows.map { .init(id: "\($0.id)", isDone: $0.isDone, html: "\($0.id) \($0.look)") },
      frame: .init(name: "n", count: "", lists: "", hidden: 0))
  }

  /// A state after another one: some rows deleted, added, moved, changed, completed.
  private static func changed(
    _ rows: [(id: Int, isDone: Bool, look: Int)], using random: inout SplitMix
  ) -> [(id: Int, isDone: Bool, look: Int)] {
    var rows = rows
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let index = Int.random(in: 0...rows.count, using: &random)
      guard index < rows.count else {
        let id = Int.random(in: 0..<40, using: &random)
        if !rows.contains(where: { $0.id == id }) { rows.append((id, false, 0)) }
        continue
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: rows.remove(at: index)
      case 1: rows[index].look += 1
      case 2: rows[index].isDone.toggle()
      default:
        let row = rows.remove(at: index)
        rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
      }
    }
    return rows.filter { !$0.isDone } + rows.filter(\.isDone)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func aPageThatAppliesBatchesShowsTheState(seed: UInt64) {
    var random = SplitMix(state: seed)
    var rows: [(id: Int, isDone: Bool, look: Int)] = (0..<10).map { ($0, false, 0) }
    var twin = Twin(Self.page(rows))
    for _ in 0..<20 {
      let next = Self.changed(rows, using: &random)
      let batch = PageBatch(from: Self.page(rows), to: Self.page(next))
      twin.apply(batch)
      #expect(twin.open + twin.completed == Self.page(next).rows)
      rows = next
    }
  }

  @Test func oneMoveSendsOneRow() {
    let old = Self.page((0..<100).map { ($0, false, 0) })
    let new = Self.page([(99, false, 0)] + (0..<99).map { ($0, false, 0) })
    let batch = PageBatch(from: old, to: new)
    #expect(batch.placed.map(\.id) == ["99"])
    #expect(batch.placed.first?.after == nil)
    #expect(batch.count == 1)
    #expect(batch.frame == nil)
  }

  @Test func twoStatesThatLookDifferentHaveTwoVersions() {
    let page = Self.page([(1, false, 0), (2, false, 0)])
    var other = page
    other.rows.swapAt(0, 1)
    #expect(page.version == page.version)
    #expect(page.version != other.version)
  }
}

/// Random numbers from a seed (Steele, Lea and Flood, 2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
