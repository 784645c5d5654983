import Synchronization

/// Keeps what came of something, until somebody asks for it.
final class Answer<Value: Sendable>: Sendable {
  /// What came of it; the mutex protects it.
  private let noted = Mutex<Result<Value, any Error>?>(nil)

  /// What came of it; nil as long as nothing did.
  var result: Result<Value, any Error>? { noted.withLock(\.self) }

  func note(_ result: Result<Value, any Error>) { noted.withLock { $0 = result } }
}
