/// What goes wrong within observables themselves.
public enum RxError: Error, Hashable, Sendable {
  /// The subject was disposed.
  case disposed
  /// Nothing came in time.
  case timeout
  /// There was no element of the number that was wanted.
  case argumentOutOfRange
  /// There was no element where one was wanted.
  case noElements
  /// There was another element where one alone was wanted.
  case moreThanOneElement
}
