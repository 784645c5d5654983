import Dispatch
import Presentation
import Reactive
import ReactiveTesting
import ReactiveTestSupport
import Testing

@Suite("AsyncValidator", .accounted)
struct AsyncValidatorTests {
  private typealias Answer = AsyncValidationResult<String, String>
  private let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
  private let asked = Recorder<String>()

  /// Asks 30 after the last change, and answers 10 later.
  private var free: AsyncValidator<String> {
    AsyncValidator(debounce: .seconds(30), scheduler: scheduler) { [asked, scheduler] name in
      asked.on(.next(name))
      return Observable<Int>.timer(.seconds(10), scheduler: scheduler).map { _ in
        if name == "broken" { throw Refusal.broken }
        return name == "taken" ? [ValidationIssue(.notUnique)] : []
      }.asSingle()
    }
  }

  private func answers(
    to typed: [Recorded<Event<String>>]
  ) -> [Recorded<Event<Answer>>] {
    let inputs = scheduler.createHotObservable(typed)
    return scheduler.start { [free] in free.results(of: inputs, after: .notBlank) }.events
  }

  private func pending(_ input: String) -> Answer { Answer(input: input, result: nil) }

  private func accepted(_ input: String, _ value: String) -> Answer {
    Answer(input: input, result: .valid(value, warnings: []))
  }

  @Test func whatTheOtherRulesRefuseIsAnsweredAtOnceAndNeverAskedAbout() {
    let blank = Answer(input: " ", result: .invalid([ValidationIssue(.blank)]))
    #expect(answers(to: [.next(210, " ")]) == [.next(210, blank)])
    #expect(asked.elements == [])
  }

  @Test func theRestIsPendingUntilItIsAnsweredWithTheParsedValue() {
    #expect(
      answers(to: [.next(210, " ada ")])
        == [.next(210, pending(" ada ")), .next(250, accepted(" ada ", "ada"))])
    #expect(asked.elements == ["ada"])
  }

  @Test func askingWaitsUntilNothingWasTypedForAWhile() {
    let typed = answers(to: [.next(210, "a"), .next(220, "ad"), .next(230, "ada")])
    #expect(typed.last == .next(270, accepted("ada", "ada")))
    #expect(asked.elements == ["ada"])
  }

  @Test func onlyTheLatestAnswerCountsAndSaysWhichInputItIsAbout() {
    let typed = answers(to: [.next(210, "taken"), .next(245, "free")])
    #expect(
      typed == [
        .next(210, pending("taken")), .next(245, pending("free")),
        .next(285, accepted("free", "free")),
      ])
    #expect(asked.elements == ["taken", "free"])
  }

  @Test func aRefusalAfterAPendingInputDropsWhatIsAsked() {
    let typed = answers(to: [.next(210, "taken"), .next(245, "")])
    #expect(typed.map(\.time) == [210, 245])
    #expect(typed.last?.value.element?.isPending == false)
  }

  @Test func anIssueThatTheCheckFindsRefusesTheInput() {
    let taken = Answer(input: "taken", result: .invalid([ValidationIssue(.notUnique)]))
    #expect(answers(to: [.next(210, "taken")]).last == .next(250, taken))
  }

  @Test func aCheckThatFailsIsAWarningAndTheNextInputIsStillAnswered() {
    let unchecked = ValidationIssue(.unchecked, severity: .warning)
    let broken = Answer(input: "broken", result: .valid("broken", warnings: [unchecked]))
    let typed = answers(to: [.next(210, "broken"), .next(300, "ada")])
    #expect(typed.contains(.next(250, broken)))
    #expect(typed.last == .next(340, accepted("ada", "ada")))
  }
}
