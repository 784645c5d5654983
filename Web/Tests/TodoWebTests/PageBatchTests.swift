import Foundation
import Testing

@testable import TodoWeb

/// What a page becomes that applies batches, against the state that they lead to.
struct PageBatchTests {
  /// A page as a browser holds it: the rows of each section.
  private struct Twin {
    var sections: [String: [RenderedPage.Row]] = [:]

    init(_ page: RenderedPage) { sections = Dictionary(grouping: page.rows, by: \.section) }

    var rows: [RenderedPage.Row] { ["open", "completed"].flatMap { sections[$0] ?? [] } }

    mutating func apply(_ batch: PageBatch) {
      remove(batch.deleted)
      for placed in batch.placed {
        remove([placed.id])
        let row = RenderedPage.Row(id: placed.id, section: placed.section, html: placed.html)
        var rows = sections[placed.section] ?? []
        if let after = placed.after {
          guard let index = rows.firstIndex(where: { $0.id == after }) else {
            Issue.record("There is no row \(after) after which to put \(row.id).")
            continue
          }
          rows.insert(row, at: index + 1)
        } else {
          rows.insert(row, at: 0)
        }
        sections[placed.section] = rows
      }
      for modified in batch.modified {
        sections = sections.mapValues { rows in
          rows.map { row in
            row.id == modified.id
              ? .init(id: row.id, section: row.section, html: modified.html) : row
          }
        }
      }
    }

    private mutating func remove(_ ids: [String]) {
      sections = sections.mapValues { rows in rows.filter { !ids.contains($0.id) } }
    }
  }

  private static func page(_ rows: [(id: Int, isDone: Bool, look: Int)]) -> RenderedPage {
    let open = rows.count { !$0.isDone }
    return RenderedPage(
      rows: rows.map {
        .init(
          id: "\($0.id)", section: $0.isDone ? "completed" : "open", html: "\($0.id) \($0.look)")
      },
      parts: ["name": "n", "count": "\(open)"],
      extent: .init(first: 0, open: open, completed: rows.count - open))
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
      #expect(twin.rows == Self.page(next).rows)
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
    #expect(batch.parts == [:] && batch.extent == nil)
  }

  @Test func onlyThePartsThatAreDifferentAreSent() {
    let batch = PageBatch(
      from: Self.page([(1, false, 0)]), to: Self.page([(1, false, 0), (2, false, 0)]))
    #expect(batch.parts == ["count": "2"])
    #expect(batch.extent == RenderedPage.Extent(first: 0, open: 2, completed: 0))
    #expect(batch.placed.map(\.after) == ["1"])
  }

  @Test func twoStatesThatLookDifferentHaveTwoVersions() {
    let page = Self.page([(1, false, 0), (2, false, 0)])
    let other = Self.page([(2, false, 0), (1, false, 0)])
    #expect(page.version == Self.page([(1, false, 0), (2, false, 0)]).version)
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
