/// What is known about an input while a rule that takes time is asked about it.
public struct CheckedInput<Input, Output> {
  /// The input in question, for whoever has to know which one an answer is about.
  public let input: Input
  /// What the rules make of it; nil while that is being asked.
  public let result: Validated<Output>?

  /// Makes the answer about an input.
  public init(input: Input, result: Validated<Output>?) {
    self.input = input
    self.result = result
  }

  /// Whether the answer is still to come: a form must not be sent until it is there.
  public var isPending: Bool { result == nil }
}

extension CheckedInput: Sendable where Input: Sendable, Output: Sendable {}
extension CheckedInput: Equatable where Input: Equatable, Output: Equatable {}
