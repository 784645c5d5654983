/// The elements and the end of a sequence that was waited for.
public enum MaterializedSequenceResult<Element> {
  /// It completed.
  case completed(elements: [Element])
  /// It failed, or did not end in time.
  case failed(elements: [Element], error: any Error)
}

extension MaterializedSequenceResult: Sendable where Element: Sendable {}
