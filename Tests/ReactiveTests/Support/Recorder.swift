import Reactive
import Synchronization

/// Keeps the events that it is sent.
final class Recorder<Element: Sendable>: ObserverType, Sendable {
  private let recorded = Mutex<[Event<Element>]>([])

  func on(_ event: Event<Element>) { recorded.withLock { $0.append(event) } }

  var events: [Event<Element>] { recorded.withLock { $0 } }

  var elements: [Element] { events.compactMap(\.element) }

  /// The events in one line: elements, then `|` for a completion or the error after an `x`.
  var line: String {
    events.map { event in
      switch event {
      case .next(let element): "\(element)"
      case .error(let error): "x\(error)"
      case .completed: "|"
      }
    }.joined(separator: " ")
  }
}

/// What happened, in order.
final class Journal: Sendable {
  private let written = Mutex<[String]>([])

  func write(_ line: String) { written.withLock { $0.append(line) } }

  var lines: [String] { written.withLock { $0 } }

  /// All lines in one.
  var line: String { lines.joined(separator: " ") }
}

/// A count that several threads may change.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  @discardableResult
  func increment() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }

  var value: Int { count.load(ordering: .acquiring) }
}

/// A place that is filled later, so that closures can reach what is made after them.
final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value?>

  init(_ value: Value? = nil) { content = Mutex(value) }

  var value: Value? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}

/// An error to send.
enum Failure: Error, Equatable {
  case first, second
}

/// The identity, except that one element throws.
func refusing(_ refused: Int) -> @Sendable (Int) throws -> Int {
  { element in
    if element == refused { throw Failure.first }
    return element
  }
}
