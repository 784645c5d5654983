public import Reactive
import TodoKit

/// An event of the screens; its type says what the user wants.
open class ScreenEvent<Payload>: EventProtocol {
  /// What it is about.
  public let payload: Payload

  /// Makes an event of its payload.
  public init(_ payload: Payload) { self.payload = payload }
}

extension ScreenEvent where Payload == Void {
  /// Makes an event without a payload.
  public convenience init() { self.init(()) }
}

/// An event whose payload is a request, which gets a result.
///
/// ```swift
/// bus.emit(GroupEvents.EditTaskName(.init(id, to: "Buy milk")) { result in show(result) })
/// ```
open class RequestEvent<Input: Sendable, Answer: Sendable>:
  ScreenEvent<RequestPayload<Input, Answer>>
{
  /// Makes an event with a request.
  ///
  /// - Parameters:
  ///   - input: The input of the request.
  ///   - completion: Called with the result: before `emit` returns, unless the event's
  ///     type says that it takes time, or `emit` was called from within an event of this type.
  public required init(_ input: Input, completion: RequestPayload<Input, Answer>.Completion? = nil)
  {
    super.init(RequestPayload(input, completion: completion))
  }
}

extension EventBus {
  /// Emits an event and returns the result of its request.
  ///
  /// - Returns: The result; nil if no controller listens, or if the request has not ended yet.
  public func result<Input, Value, E: RequestEvent<Input, Value>>(
    of event: E.Type, _ input: Input
  ) -> Result<Value, any Error>? {
    let answer = BehaviorRelay<Result<Value, any Error>?>(value: nil)
    emit(event.init(input) { answer.accept($0) })
    return answer.value
  }
}

/// The input of a request, and the completion that gets the result.
public struct RequestPayload<Input: Sendable, Answer: Sendable>: Sendable {
  /// Takes the result of a request: a value or an error.
  public typealias Completion = @Sendable (Result<Answer, any Error>) -> Void

  /// The input of the request.
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
