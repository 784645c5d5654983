import Reactive
import Synchronization

/// Keeps what an observable sends.
final class Recorder<Element: Sendable>: ObserverType, Sendable {
  private let events = Mutex<[Event<Element>]>([])

  func on(_ event: Event<Element>) { events.withLock { $0.append(event) } }

  /// The elements so far.
  var elements: [Element] { events.withLock { $0.compactMap(\.element) } }

  /// Whether the end was sent, one way or the other.
  var hasEnded: Bool { events.withLock { $0.contains { $0.isStopEvent } } }

  /// The elements since this was asked last.
  func takeElements() -> [Element] {
    events.withLock { events in
      defer { events.removeAll { !$0.isStopEvent } }
      return events.compactMap(\.element)
    }
  }
}

extension ObservableType where Element: Sendable {
  /// Subscribes a recorder until the bag goes away.
  func recorded(in bag: DisposeBag) -> Recorder<Element> {
    let recorder = Recorder<Element>()
    subscribe(recorder).disposed(by: bag)
    return recorder
  }
}

/// Counts calls, from wherever they come.
final class Counter: Sendable {
  private let calls = Mutex(0)

  func call() { calls.withLock { $0 += 1 } }

  var count: Int { calls.withLock { $0 } }
}

/// Why something fails in these tests.
enum Refusal: Error { case broken, full }
