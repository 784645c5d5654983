/// Errors of observables themselves.
public enum RxError: Error, Hashable, Sendable {
  /// The subject was disposed.
  case disposed
  /// No event arrived in time.
  case timeout
  /// There was no element at the index.
  case argumentOutOfRange
  /// The sequence had no element.
  case noElements
  /// The sequence had more than one element.
  case moreThanOneElement
}
