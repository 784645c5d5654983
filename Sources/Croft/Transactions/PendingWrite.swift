import Synchronization

/// An asynchronous write that waits for its turn, or for its commit.
protocol PendingWrite: Sendable {
  /// Runs the closure; called once at most, by the writer.
  func run(_ transaction: inout WriteTransaction) throws
  /// Tells the task that waits; called once, without an error only when all is committed.
  func end(with error: (any Error)?)
}

/// A write's closure with the task that waits for its value.
///
/// Threads: any; the value has a lock of its own.
final class AsyncWrite<Value: Sendable>: PendingWrite {
  private let body: @Sendable (inout WriteTransaction) throws -> Value
  private let continuation: CheckedContinuation<Value, any Error>
  private let value = Mutex<Value?>(nil)

  init(
    _ body: @escaping @Sendable (inout WriteTransaction) throws -> Value,
    _ continuation: CheckedContinuation<Value, any Error>
  ) {
    self.body = body
    self.continuation = continuation
  }

  func run(_ transaction: inout WriteTransaction) throws {
    let result = try body(&transaction)
    value.withLock { $0 = result }
  }

  func end(with error: (any Error)?) {
    if let error { return continuation.resume(throwing: error) }
    guard let value = value.withLock({ $0.take() }) else {
      preconditionFailure("A write that has not run was told that it succeeded.")
    }
    continuation.resume(returning: value)
  }
}

/// What a task knows of its write, so that it can be cancelled before and after it is submitted.
///
/// Threads: any; the state has a lock.
final class WriteTicket: Sendable {
  private enum State {
    case new
    case submitted(Int)
    case cancelled
  }

  private let state = Mutex(State.new)

  /// Notes the number; whether the task was cancelled before that.
  func submit(_ number: Int) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return true }
      state = .submitted(number)
      return false
    }
  }

  /// Notes that the task was cancelled; its write's number, if it was submitted.
  func cancel() -> Int? {
    state.withLock { state in
      defer { state = .cancelled }
      if case .submitted(let number) = state { return number }
      return nil
    }
  }
}
