import Reactive
import Testing
import TestSupport

@Suite struct RefCountDisposableTests {
  @Test func itDisposesWhenEverybodyLetGo() {
    let inner = BooleanDisposable()
    let counted = RefCountDisposable(disposable: inner)
    let (first, second) = (counted.retain(), counted.retain())
    counted.dispose()
    first.dispose()
    first.dispose()
    #expect(!inner.isDisposed && !counted.isDisposed)
    second.dispose()
    #expect(inner.isDisposed && counted.isDisposed)
  }

  @Test func withoutAnybodyElseItDisposesAtOnce() {
    let inner = BooleanDisposable()
    let counted = RefCountDisposable(disposable: inner)
    counted.retain().dispose()
    #expect(!inner.isDisposed)
    counted.dispose()
    #expect(inner.isDisposed)
    counted.retain().dispose()
    counted.dispose()
  }

  @Test func ofManyThreadsTheLastDisposes() {
    for _ in 0..<50 {
      let count = Counter()
      let counted = RefCountDisposable(disposable: Disposables.create { count.increment() })
      let retained = (0..<4).map { _ in counted.retain() }
      inParallel(5) { thread in
        if thread == 4 { counted.dispose() } else { retained[thread].dispose() }
      }
      #expect(count.value == 1)
    }
  }

  // The source that it counts must run as long as one handle was not even stopped.
  @Test func itStopsTheSourceWhenTheLastHandleIsStopped() {
    let scheduler = VirtualTimeScheduler()
    let inner = BooleanDisposable()
    let counted = RefCountDisposable(disposable: inner)
    let handles = [counted.retain(), counted.retain()]
    for handle in [counted, handles[0]] {
      ScheduledDisposable(scheduler: scheduler, disposable: handle).dispose()
    }
    #expect(!inner.isDisposed && !counted.isDisposed)
    scheduler.start()
    #expect(!inner.isDisposed && !counted.isDisposed)
    ScheduledDisposable(scheduler: scheduler, disposable: handles[1]).dispose()
    #expect(inner.isDisposed && counted.isDisposed)
    scheduler.start()
  }

  @Test func whatIsStoppedIsDisposedOnceAndCannotBeRetained() {
    let scheduler = VirtualTimeScheduler()
    let count = Counter()
    let counted = RefCountDisposable(disposable: Disposables.create { count.increment() })
    ScheduledDisposable(scheduler: scheduler, disposable: counted).dispose()
    let late = counted.retain()
    #expect(count.value == 0)
    scheduler.start()
    #expect(count.value == 1)
    late.dispose()
    counted.dispose()
    #expect(count.value == 1)
  }
}
