import Dispatch
import Reactive
import ReactiveTesting
import Testing

/// What the tutorial shows, run: change both together.
@Suite struct TutorialTests {
  /// Looks up what was typed, once the typing paused.
  struct Search: Sendable {
    let scheduler: any SchedulerType
    let lookUp: @Sendable (String) -> Observable<[String]>

    func results(_ typed: Observable<String>) -> Observable<[String]> {
      typed
        .debounce(.seconds(3), scheduler: scheduler)
        .distinctUntilChanged()
        .flatMapLatest(lookUp)
    }
  }

  @Test func looksUpOncePerPauseAndForgetsSlowAnswers() throws {
    try withLeakCheck {
      // Given
      let scheduler = TestScheduler(initialClock: 0)
      let typed = scheduler.createHotObservable([
        .next(210, "m"), .next(211, "mi"), .next(212, "milk"),
        .next(220, "milk tea"), .completed(250),
      ])
      let slow = scheduler.createColdObservable([.next(10, ["milk"]), .completed(10)])
      let quick = scheduler.createColdObservable([.next(4, ["milk tea"]), .completed(4)])
      let search = Search(scheduler: scheduler) {
        $0 == "milk" ? slow.asObservable() : quick.asObservable()
      }
      // When
      let found = scheduler.start { search.results(typed) }
      // Then
      #expect(found.events == [.next(227, ["milk tea"]), .completed(250)])
      #expect(slow.subscriptions == [Subscription(215, 223)])
      #expect(quick.subscriptions == [Subscription(223, 227)])
    }
  }

  @Test func theSameInMarbles() throws {
    let scheduler = TestScheduler(initialClock: 0)
    let marbles = Marbles.letters(start: 200)
    let typed = scheduler.createHotObservable(try marbles.events("-abc-----d----|"))
    let paused = scheduler.start { typed.debounce(.seconds(3), scheduler: scheduler) }
    //                                              -abc-----d----|
    #expect(try marbles.diagram(paused.events) == "------c-----d-|")
  }

  @MainActor @Test func aTitleIsShownOnceTypingPaused() {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    let typed = scheduler.createHotObservable([.next(210, "m"), .next(211, "milk")])
    let shown = SharingScheduler.mock(scheduler: scheduler) {
      scheduler.start {
        typed.asDriver(onErrorJustReturn: "").debounce(.seconds(3)).map { $0.uppercased() }
      }
    }
    #expect(shown.events == [.next(214, "MILK")])
  }
}
