import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct DistinctUntilChangedTests {
  struct Item: Sendable {
    let id: Int
    let name: String
  }

  static let items = [Item(id: 1, name: "a"), Item(id: 1, name: "b"), Item(id: 2, name: "b")]

  @Test func dropsElementsThatEqualTheOneBefore() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 1, 2, 2, 1).distinctUntilChanged().subscribe(recorder)
    #expect(recorder.line == "1 2 1 |")
  }

  @Test func comparesKeys() {
    let recorder = Recorder<String>()
    _ = Observable.from(Self.items).distinctUntilChanged { $0.id }.map(\.name)
      .subscribe(recorder)
    #expect(recorder.line == "a b |")
  }

  @Test func comparesProperties() {
    let recorder = Recorder<Int>()
    _ = Observable.from(Self.items).distinctUntilChanged(at: \.name).map(\.id)
      .subscribe(recorder)
    #expect(recorder.line == "1 1 |")
  }

  @Test func comparesByAClosure() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2, 5, 6, 9).distinctUntilChanged { abs($0 - $1) < 3 }
      .subscribe(recorder)
    #expect(recorder.line == "1 5 9 |")
  }

  @Test func comparesKeysByAClosure() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, -2, 5).distinctUntilChanged({ abs($0) }, comparer: { $1 - $0 < 2 })
      .subscribe(recorder)
    #expect(recorder.line == "1 5 |")
  }
}
