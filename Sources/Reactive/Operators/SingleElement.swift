extension ObservableType {
  /// Emits the element of a sequence that has exactly one.
  ///
  /// It is emitted when it arrives. The sequence fails with `RxError.noElements` when it is empty,
  /// and with `RxError.moreThanOneElement` on the second element.
  public func single() -> Observable<Element> { single { _ in true } }

  /// Emits the element that satisfies a condition, of a sequence that has exactly one such element.
  ///
  /// It is emitted when it arrives. The sequence fails with `RxError.noElements` without one, and
  /// with `RxError.moreThanOneElement` on the second one.
  ///
  /// - Parameter predicate: returns whether an element counts.
  @preconcurrency
  @inlinable
  public func single(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element> {
    stateful(
      false, completion: { hasEmitted, _ in if !hasEmitted { throw RxError.noElements } }
    ) { hasEmitted, element, sink in
      guard try predicate(element) else { return }
      if hasEmitted { throw RxError.moreThanOneElement }
      hasEmitted = true
      sink.down.next(element)
    }
  }

  /// Emits the first element, or nil when the source completes without one.
  public func first() -> Single<Element?> {
    Single(
      raw: stateful((), completion: { $1.next(nil) }) { _, element, sink in
        sink.down.next(element)
        sink.finish()
      })
  }

  /// Emits the element at an index and completes.
  ///
  /// It fails with `RxError.argumentOutOfRange` when the source completes before.
  ///
  /// - Parameter index: 0 or more; the first element has the index 0.
  @inlinable
  public func element(at index: Int) -> Observable<Element> {
    precondition(index >= 0, "An index counts the elements before: 0 or more.")
    return stateful(index, completion: { _, _ in throw RxError.argumentOutOfRange }) {
      remaining, element, sink in
      guard remaining == 0 else { return remaining -= 1 }
      sink.down.next(element)
      sink.finish()
    }
  }
}
