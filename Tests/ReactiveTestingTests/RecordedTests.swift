import Reactive
import ReactiveTesting
import Testing

@Suite struct RecordedTests {
  @Test func areEqualWhenTimeAndEventAre() {
    #expect(Recorded.next(210, 1) == Recorded.next(210, 1))
    #expect(Recorded.next(210, 1) != Recorded.next(211, 1))
    #expect(Recorded.next(210, 1) != Recorded.next(210, 2))
    #expect(Recorded.completed(210, Int.self) == Recorded.completed(210))
    #expect(Recorded.next(210, 1) != Recorded.completed(210))
    #expect(Recorded.error(210, Sample.a, Int.self) != Recorded.completed(210))
  }

  @Test func errorsAreEqualWhenTheyAreTheSame() {
    struct Worded: Error { let text: String }
    struct Other: Error { let text: String }
    let error: (any Error) -> Event<Int> = { .error($0) }
    #expect(error(Sample.a) == error(Sample.a))
    #expect(error(Sample.a) != error(Sample.b))
    #expect(error(Sample.a) != error(RxError.timeout))
    #expect(error(Worded(text: "x")) == error(Worded(text: "x")))
    #expect(error(Worded(text: "x")) != error(Worded(text: "y")))
    #expect(error(Worded(text: "x")) != error(Other(text: "x")))
  }

  @Test func describeThemselves() {
    #expect("\(Recorded.next(210, 1))" == "next(1) @ 210")
    #expect("\(Recorded.completed(250, Int.self))" == "completed @ 250")
    #expect("\([Subscription(200), Subscription(200, 400)])" == "[(200, ...), (200, 400)]")
  }

  @Test func canBeListed() {
    let events = Recorded.events(.next(10, "a"), .completed(20))
    #expect(events == [.next(10, "a"), .completed(20)])
  }
}
