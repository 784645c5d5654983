/// A stage that closures make of a state: what it does with an element, and before the completion.
///
/// Most operators share it.
///
/// It and they are inlinable, because allocating generic objects, and handling an optional of a
/// generic type, is only fast in code that knows the types.
@usableFromInline
final class StatefulSink<State, Input, Output>: OperatorSink<Input, Output> {
  /// Handles an element: it emits to the stage's `down`, finishes it, or throws an error to emit.
  @usableFromInline
  typealias Handler = (inout State, Input, OperatorSink<Input, Output>) throws -> Void
  /// Called before the completion is emitted; an error that it throws is emitted instead.
  @usableFromInline
  typealias Completion = (State, Sink<Output>) throws -> Void

  // The rule that calls to a sink never overlap makes the exclusivity check unnecessary.
  @exclusivity(unchecked) @usableFromInline var state: State
  @usableFromInline let handler: Handler
  @usableFromInline let completion: Completion?

  @inlinable
  init(
    _ down: Sink<Output>, _ state: State, _ completion: Completion?, _ handler: @escaping Handler
  ) {
    self.state = state
    self.completion = completion
    self.handler = handler
    super.init(down)
  }

  @usableFromInline
  override func next(_ element: Input) {
    if isFinished { return }
    do { try handler(&state, element, self) } catch { finish(error) }
  }

  @usableFromInline
  override func done(_ error: (any Error)?) {
    if isFinished { return }
    if error == nil, let completion {
      do { try completion(state, down) } catch { return finish(error) }
    }
    finish(error)
  }
}

extension ObservableType {
  /// Makes an operator of a state that each subscription has its own of.
  ///
  /// - Parameters:
  ///   - state: the state before the first element.
  ///   - completion: called before the completion is emitted.
  ///   - handler: called with each element.
  @inlinable
  func stateful<State, Output>(
    _ state: State, completion: StatefulSink<State, Element, Output>.Completion? = nil,
    _ handler: @escaping StatefulSink<State, Element, Output>.Handler
  ) -> Observable<Output> {
    asObservable().lift { StatefulSink($0, state, completion, handler) }
  }
}
