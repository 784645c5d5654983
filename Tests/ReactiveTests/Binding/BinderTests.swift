import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct BinderTests {
  @MainActor
  final class Label: ReactiveCompatible {
    var text = ""
    var note: String?
    var isMuted = false
  }

  @MainActor @Test func aPropertyIsAssignedAtOnceOnTheMainQueue() {
    let label = Label()
    let texts = PublishSubject<String>()
    let bag = DisposeBag()
    texts.bind(to: label.rx.text).disposed(by: bag)
    texts.bind(to: label.rx.note).disposed(by: bag)
    texts.onNext("a")
    #expect(label.text == "a")
    #expect(label.note == "a")
    texts.onCompleted()
    label.rx.text.onNext("b")
    #expect(label.text == "b")
  }

  @MainActor @Test func elementsOfOtherThreadsAreAssignedOnTheMainActor() async {
    let label = Label()
    let binder = Binder<String>(label) { label, text in label.text += text }
    let observer = binder.asObserver()
    await Task.detached { for text in ["a", "b", "c"] { observer.onNext(text) } }.value
    while label.text.count < 3 { await Task.yield() }
    #expect(label.text == "abc")
  }

  @MainActor @Test func theObjectIsHeldWeakly() {
    weak var gone: Label?
    let binder: Binder<String>
    do {
      let label = Label()
      gone = label
      binder = label.rx.text
    }
    #expect(gone == nil)
    binder.onNext("a")
  }

  @Test func theClosureRunsOnTheSchedulerOfTheBinder() {
    let scheduler = VirtualTimeScheduler()
    let journal = Journal()
    let binder = Binder<Int>(journal, scheduler: scheduler) { $0.write("\($1)") }
    _ = Observable.of(1, 2).bind(to: binder)
    #expect(journal.lines == [])
    scheduler.start()
    #expect(journal.line == "1 2")
  }

  #if DEBUG
    @Test func anErrorTrapsInDebugBuilds() async {
      await #expect(processExitsWith: .failure) {
        let binder = Binder<Int>(Journal(), scheduler: CurrentThreadScheduler.instance) { _, _ in }
        _ = Observable<Int>.error(Failure.first).bind(to: binder)
      }
    }
  #endif
}
