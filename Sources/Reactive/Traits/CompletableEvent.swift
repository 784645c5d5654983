/// How a `Completable` ends.
@frozen
public enum CompletableEvent: Sendable {
  /// With an error.
  case error(any Error)
  /// Well.
  case completed
}
