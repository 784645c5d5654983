import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ReplaySubjectTests {
  @Test(arguments: [0, 1, 3, 10])
  func itRemembersTheLatestElements(bufferSize: Int) {
    let subject = ReplaySubject<Int>.create(bufferSize: bufferSize)
    for element in 1...5 { subject.onNext(element) }
    let recorder = Recorder<Int>()
    let subscription = subject.subscribe(recorder)
    subject.onNext(6)
    #expect(recorder.elements == Array((1...5).suffix(bufferSize)) + [6])
    subscription.dispose()
  }

  @Test func unboundedItForgetsNothing() {
    let subject = ReplaySubject<Int>.createUnbounded()
    for element in 0..<1000 { subject.onNext(element) }
    subject.onCompleted()
    let recorder = Recorder<Int>()
    _ = subject.subscribe(recorder)
    #expect(recorder.elements == Array(0..<1000))
    #expect(recorder.events.last?.isCompleted == true)
  }

  @Test func itForgetsWhatItDisplacesAtOnce() {
    weak var first: Witness?
    let subject = ReplaySubject<Witness>.create(bufferSize: 1)
    do {
      let witness = Witness()
      first = witness
      subject.onNext(witness)
    }
    #expect(first != nil)
    subject.onNext(Witness())
    #expect(first == nil)
  }

  @Test func disposedItLetsGoOfWhatItRemembers() {
    weak var held: Witness?
    let subject = ReplaySubject<Witness>.createUnbounded()
    do {
      let witness = Witness()
      held = witness
      subject.onNext(witness)
    }
    subject.dispose()
    #expect(held == nil)
  }

  @Test func disposedFromWithinItsReplayItSendsNoMore() {
    let subject = ReplaySubject<Int>.createUnbounded()
    subject.onNext(1)
    subject.onNext(2)
    let journal = Journal()
    _ = subject.take(1).subscribe(onNext: { journal.write("\($0)") })
    #expect(journal.line == "1")
    #expect(!subject.hasObservers)
  }

  @Test func aNegativeSizeTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = ReplaySubject<Int>.create(bufferSize: -1)
    }
  }
}
