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

  // A thread that kept an object could make a binder of it, which the main actor then used as well:
  // the compiler let an object that is not Sendable be shared.
  @Test func aBinderOfAnObjectThatIsNotSendableIsMadeOnTheMainActor() throws {
    let lines = [
      "import Reactive",
      "final class Plain: ReactiveCompatible { var text = \"\" }",
      "@MainActor final class Label: ReactiveCompatible { var text = \"\" }",
      "extension Rx where Base: Label { var isMuted: Binder<Bool> { Binder(base) { _, _ in } } }",
      "extension Rx where Base: Plain {",
      "  @MainActor var isMuted: Binder<Bool> { Binder(base) { _, _ in } }",
      "}",
      "func label(_ label: Label) -> Binder<String> { Binder(label) { $0.text = $1 } }",
      "@MainActor func main(_ plain: Plain) -> Binder<String> { Binder(plain) { $0.text = $1 } }",
      "@MainActor func property(_ plain: Plain) -> Binder<String> { plain.rx.text }",
      "func any(_ plain: Plain) -> Binder<String> { Binder(plain) { $0.text = $1 } }",
      "func anyProperty(_ plain: Plain) -> Binder<String> { plain.rx.text }",
    ]
    let errors = try Program(text: lines.joined(separator: "\n")).errors
    #expect(errors.keys.sorted() == [11, 12])
    #expect(errors.values.allSatisfy { $0.contains("main actor-isolated") })
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
