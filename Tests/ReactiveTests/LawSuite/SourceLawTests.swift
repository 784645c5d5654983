import Reactive
import ReactiveTestSupport
import Testing

/// The laws that everything keeps that makes a sequence of nothing.
@Suite("Law suite: sources", .accounted)
struct SourceLawTests {
  static let sources = OperatorTable.sources

  @Test(arguments: sources)
  func itSendsTheSameToEverySubscriber(entry: SourceEntry) {
    let probe = Probe()
    let source = entry.build(probe)
    for _ in 0..<2 {
      let recorder = Recorder<Int>()
      let subscription = SerialDisposable()
      subscription.disposable = source.do(onNext: { _ in
        if recorder.elements.count == 3 { subscription.dispose() }
      }).take(while: { _ in recorder.elements.count < 3 }).subscribe(recorder)
      probe.settle()
      subscription.dispose()
      // An endless source was stopped at three, by disposal or by the next operator.
      let isCut = recorder.elements.count == 3
      #expect((isCut ? String(recorder.line.prefix(5)) : recorder.line) == entry.line)
    }
    probe.settle()
  }

  @Test(arguments: sources)
  func nothingArrivesAfterDisposalFromWithinAnElement(entry: SourceEntry) {
    let probe = Probe()
    let recorder = Recorder<Int>()
    let subscription = SerialDisposable()
    let isOver = Box(false)
    let source = entry.build(probe).take(while: { _ in isOver.value == false })
    subscription.disposable = source.do(afterNext: { _ in
      subscription.dispose()
      isOver.value = true
    }).subscribe(recorder)
    probe.settle()
    #expect(recorder.elements.count <= 1)
    subscription.dispose()
    probe.settle()
  }

  @Test(arguments: sources)
  func l1UserCodeOfTheObserverRunsUnderNoLock(entry: SourceEntry) {
    let probe = Probe()
    let meeting = Meeting()
    let source = entry.build(probe).take(3)
    let subscription = SerialDisposable()
    meeting.hold(
      sending: {
        subscription.disposable = source.subscribe(
          onNext: { _ in meeting.attend() }, onError: { _ in meeting.attend() },
          onCompleted: { meeting.attend() })
        probe.settle()
      },
      meanwhile: {
        source.subscribe(onNext: { _ in }, onError: { _ in }).dispose()
        subscription.dispose()
      })
    probe.settle()
  }
}
