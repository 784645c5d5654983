/// What goes wrong within observables themselves.
public enum RxError: Error, Hashable, Sendable {
  /// The subject was disposed.
  case disposed
}
