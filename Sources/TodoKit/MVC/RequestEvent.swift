public import Reactive

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
  ///   - completion: Told what came of it: before `emit` returns, unless the event's
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
    let answer = Answer<Value>()
    emit(E(input) { answer.note($0) })
    return answer.result
  }
}
