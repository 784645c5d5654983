/// What an event asks for, and who is told what came of it.
public struct RequestPayload<Input: Sendable, Answer: Sendable>: Sendable {
  /// Takes what came of a request: the answer, or why there is none.
  public typealias Completion = @Sendable (Result<Answer, any Error>) -> Void

  /// What is asked for.
  public let input: Input
  private let completion: Completion?

  /// Makes a request; without a completion nobody is told.
  public init(_ input: Input, completion: Completion? = nil) {
    self.input = input
    self.completion = completion
  }

  /// Tells what came of it; whoever handles a request does this once.
  public func complete(with result: Result<Answer, any Error>) { completion?(result) }
}
