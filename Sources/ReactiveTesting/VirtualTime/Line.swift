import Reactive
import Synchronization

/// One subscription of a testable observable, and its handle.
final class Line<Element: Sendable>: Disposable, @unchecked Sendable {
  // Unchecked: the virtual clock alone sends, one piece of work at a time; the rest guards itself.
  let number: Int
  private let sink: Sink<Element>
  private weak let observable: TestableObservable<Element>?
  private let isOver = Atomic<Bool>(false)
  /// Whether the end was sent; touched when the clock sends.
  private var hasEnded = false
  /// The events that are still to come, where they are its own.
  private let timers = CompositeDisposable()

  init(_ sink: Sink<Element>, _ observable: TestableObservable<Element>, number: Int) {
    self.sink = sink
    self.observable = observable
    self.number = number
  }

  var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  func keep(_ timer: any Disposable) { timers.insert(timer) }

  func send(_ event: Event<Element>) {
    if isDisposed || hasEnded { return }
    // Whoever takes the end disposes this, perhaps later: that is the time to be noted.
    hasEnded = event.isStopEvent
    switch event {
    case .next(let element): sink.next(element)
    case .error(let error): sink.done(error)
    case .completed: sink.done(nil)
    }
  }

  func dispose() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    timers.dispose()
    observable?.close(number)
  }
}
