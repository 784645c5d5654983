import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct ScheduledDisposableTests {
  @Test func disposesOnItsSchedulerAndOnce() {
    let scheduler = VirtualTimeScheduler()
    let count = Counter()
    let disposable = ScheduledDisposable(
      scheduler: scheduler, disposable: Disposables.create { count.increment() })
    disposable.dispose()
    disposable.dispose()
    #expect(disposable.isDisposed)
    #expect(count.value == 0)
    scheduler.start()
    #expect(count.value == 1)
  }
}
