public import Reactive
import Synchronization
import TodoKit

/// An event whose payload is a request, so that it can be answered.
///
/// ```swift
/// bus.emit(GroupEvents.EditTaskName(.init(id, to: "Buy milk")) { result in show(result) })
/// ```
public protocol RequestEvent: EventProtocol {
  /// Makes an event of its payload.
  init(payload: Payload)
}

extension RequestEvent {
  /// Makes an event that asks for something.
  ///
  /// - Parameters:
  ///   - input: What is asked for.
  ///   - completion: Called with the result: before `emit` returns, unless the event's
  ///     type says that it takes time, or `emit` was called from within an event of this type.
  public init<Input, Answer>(
    _ input: Input, completion: RequestPayload<Input, Answer>.Completion? = nil
  ) where Payload == RequestPayload<Input, Answer> {
    self.init(payload: RequestPayload(input, completion: completion))
  }
}

extension EventBus {
  /// Emits an event and gives the answer that came before it was delivered to its end.
  ///
  /// - Returns: What came of it; nil when nobody listens, and when it takes time.
  public func result<E: RequestEvent, Input, Value>(
    of event: E.Type, _ input: Input
  ) -> Result<Value, any Error>? where E.Payload == RequestPayload<Input, Value> {
    let answer = RequestAnswer<Value>()
    emit(E(input) { answer.note($0) })
    return answer.result
  }
}

/// What an event asks for, and the completion that gets the result.
public struct RequestPayload<Input: Sendable, Answer: Sendable>: Sendable {
  /// Takes the result of a request: the answer, or why there is none.
  public typealias Completion = @Sendable (Result<Answer, any Error>) -> Void

  /// What is asked for.
  public let input: Input
  private let completion: Completion?

  /// Makes a request; without a completion the result is dropped.
  public init(_ input: Input, completion: Completion? = nil) {
    self.input = input
    self.completion = completion
  }

  /// Calls the completion; the handler of a request does this once.
  public func complete(with result: Result<Answer, any Error>) { completion?(result) }
}

/// Keeps a result until it is taken.
final class RequestAnswer<Value: Sendable>: Sendable {
  /// The result; the mutex protects it.
  private let noted = Mutex<Result<Value, any Error>?>(nil)

  /// The result; nil as long as there is none.
  var result: Result<Value, any Error>? { noted.withLock(\.self) }

  func note(_ result: Result<Value, any Error>) { noted.withLock { $0 = result } }
}
