import Presentation
import Reactive
import ReactiveTesting
import Testing

/// Counts taps, and says when there were three.
private struct TapModel: ViewModel {
  struct Input { let taps: Observable<Void> }

  struct Output {
    let count: Observable<Int>
    let isEnough: Observable<Bool>
  }

  func transform(input: Input) -> Output {
    let count = input.taps.scan(0) { count, _ in count + 1 }
    return Output(count: count, isEnough: count.map { $0 >= 3 }.distinctUntilChanged())
  }
}

@Suite("ViewModel")
struct ViewModelTests {
  private let taps: [Recorded<Event<Int>>] = [.next(210, 0), .next(220, 0), .next(230, 0)]

  @Test func everyEmissionOfAnOutputIsComparedAndNothingLeaks() throws {
    let enough = try emissions(of: TapModel(), \.isEnough) { [taps] scheduler in
      .init(taps: scheduler.createHotObservable(taps).map { _ in })
    }
    #expect(enough == [.next(210, false), .next(230, true)])
  }

  @Test func aModelIsTransformedAnewForEveryFrontEnd() throws {
    let model = TapModel()
    for _ in 0..<2 {
      let count = try emissions(of: model, \.count) { [taps] scheduler in
        .init(taps: scheduler.createHotObservable(taps).map { _ in })
      }
      #expect(count == [.next(210, 1), .next(220, 2), .next(230, 3)])
    }
  }
}
