import Foundation
package import Reactive
package import Testing

/// Keeps what a stream delivered, so that a test can look at it afterwards, or wait for it.
package final class Recorder<Element: Sendable>: Sendable {
  private let log = RecorderLog<Element>()
  private let bag = DisposeBag()

  package init(_ source: Observable<Element>) {
    source.subscribe(
      onNext: { [log] element in log.note { $0.elements.append(element) } },
      onError: { [log] error in log.note { $0.errors.append(error) } },
      onCompleted: { [log] in log.note { $0.completions += 1 } }
    ).disposed(by: bag)
  }

  package var elements: [Element] { log.look(\.elements) }
  package var errors: [any Error] { log.look(\.errors) }
  package var completions: Int { log.look(\.completions) }
  package var hasEnded: Bool { log.look(\.hasEnded) }

  /// Waits until what has been delivered so far is as a test wants it, and returns it.
  ///
  /// A stream that ends first, or a minute that passes, is an issue at the caller's line.
  /// It blocks its thread: what is waited for must come from another one, and not need a task.
  @discardableResult
  package func wait(
    until isEnough: @Sendable ([Element]) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Element] {
    let (events, isMet) = log.wait { isEnough($0.elements) }
    if !isMet {
      let last = events.elements.last.map { "\($0)" } ?? "nothing"
      Issue.record(
        """
        waited in vain: \(events.elements.count) elements, \(events.errors.count) errors, \
        \(events.completions) completions, last \(last.prefix(2000))
        """, sourceLocation: sourceLocation)
    }
    return events.elements
  }

  /// Waits until the stream has ended, with an error or without.
  package func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) {
    if !log.wait(until: \.hasEnded).isMet {
      Issue.record("the stream does not end", sourceLocation: sourceLocation)
    }
  }
}

/// What a stream delivered, in its order.
private struct RecorderEvents<Element: Sendable>: Sendable {
  var elements: [Element] = []
  var errors: [any Error] = []
  var completions = 0

  var hasEnded: Bool { completions > 0 || !errors.isEmpty }
}

/// Apart from the recorder, so that the subscription does not keep it alive.
///
/// `@unchecked Sendable`: the condition's lock protects the events.
private final class RecorderLog<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var events = RecorderEvents<Element>()

  func note(_ change: (inout RecorderEvents<Element>) -> Void) {
    condition.withLock {
      change(&events)
      condition.broadcast()
    }
  }

  func look<Value>(_ look: (RecorderEvents<Element>) -> Value) -> Value {
    condition.withLock { look(events) }
  }

  /// The events as soon as they are enough, or as they are when no more come.
  func wait(
    until isEnough: (RecorderEvents<Element>) -> Bool
  ) -> (events: RecorderEvents<Element>, isMet: Bool) {
    let limit = Date(timeIntervalSinceNow: 60)
    return condition.withLock {
      while !isEnough(events) {
        if events.hasEnded || !condition.wait(until: limit) { return (events, isEnough(events)) }
      }
      return (events, true)
    }
  }
}
