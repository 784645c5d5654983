import Foundation
package import Reactive
package import Testing

/// Keeps the events of an observable, so that a test can look at them afterwards, or wait for them.
///
/// It is subscribed as an observer, or subscribes itself until it is released.
package final class Recorder<Element: Sendable>: ObserverType, Sendable {
  private let log = RecorderLog<Element>()
  private let subscription: (any Disposable)?

  /// Makes a recorder that is to be subscribed.
  package init() { subscription = nil }

  /// Makes a recorder and subscribes it; the subscription ends with it.
  package init(_ source: Observable<Element>) {
    subscription = source.subscribe(
      onNext: { [log] in log.append(.next($0)) }, onError: { [log] in log.append(.error($0)) },
      onCompleted: { [log] in log.append(.completed) })
  }

  deinit { subscription?.dispose() }

  package func on(_ event: Event<Element>) { log.append(event) }

  package var events: [Event<Element>] { log.events }
  package var elements: [Element] { events.compactMap(\.element) }
  package var errors: [any Error] { events.compactMap(\.error) }
  package var completions: Int { events.count { if case .completed = $0 { true } else { false } } }
  package var hasEnded: Bool { events.contains(where: \.isStopEvent) }

  /// The elements since this was asked last.
  package func takeElements() -> [Element] { log.takeElements() }

  /// The events in one line: elements, then `|` for a completion or the error after an `x`.
  package var line: String {
    events.map { event in
      switch event {
      case .next(let element): "\(element)"
      case .error(let error): "x\(error)"
      case .completed: "|"
      }
    }.joined(separator: " ")
  }

  /// Waits until the delivered events satisfy a condition, and returns them.
  ///
  /// A stream that ends first, or a minute that passes, is an issue at the caller's line.
  /// It blocks its thread: the events must come from another one, and must not need a task.
  @discardableResult
  package func wait(
    until isEnough: @Sendable ([Element]) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Element] {
    let (events, isMet) = log.wait { isEnough($0.compactMap(\.element)) }
    if !isMet {
      let last = events.last.map { "\($0)" } ?? "nothing"
      Issue.record(
        "waited in vain: \(events.count) events, last \(last.prefix(2000))",
        sourceLocation: sourceLocation)
    }
    return events.compactMap(\.element)
  }

  /// Waits until the stream has ended, with an error or without.
  package func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) {
    if !log.wait(until: { $0.contains(where: \.isStopEvent) }).isMet {
      Issue.record("the stream does not end", sourceLocation: sourceLocation)
    }
  }
}

/// Apart from the recorder, so that a subscription of its own does not retain it.
///
/// `@unchecked Sendable`: the condition's lock protects the events.
private final class RecorderLog<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var recorded: [Event<Element>] = []

  var events: [Event<Element>] { condition.withLock { recorded } }

  func append(_ event: Event<Element>) {
    condition.withLock {
      recorded.append(event)
      condition.broadcast()
    }
  }

  func takeElements() -> [Element] {
    condition.withLock {
      defer { recorded.removeAll { !$0.isStopEvent } }
      return recorded.compactMap(\.element)
    }
  }

  /// The events as soon as they are enough, or as they are when no more come.
  func wait(
    until isEnough: ([Event<Element>]) -> Bool
  ) -> (events: [Event<Element>], isMet: Bool) {
    let limit = Date(timeIntervalSinceNow: 60)
    return condition.withLock {
      while !isEnough(recorded) {
        if recorded.contains(where: \.isStopEvent) || !condition.wait(until: limit) {
          return (recorded, isEnough(recorded))
        }
      }
      return (recorded, true)
    }
  }
}
