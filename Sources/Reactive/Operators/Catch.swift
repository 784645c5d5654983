extension ObservableType {
  /// Subscribes the sequence that a closure returns for an error.
  ///
  /// The source is disposed before. An error of the second sequence is emitted.
  ///
  /// - Parameter handler: an error that it throws is emitted instead.
  @preconcurrency
  public func `catch`(
    _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
  ) -> Observable<Element> {
    recovering(handler)
  }

  /// Emits an element in place of an error, and completes.
  public func catchAndReturn(_ element: Element) -> Observable<Element> {
    recovering { _ in Just(element) }
  }

  /// Subscribes sequences in order until one completes.
  ///
  /// Each is subscribed when the one before it has failed; the error of the last one is emitted.
  /// Without any it completes. Because of the method of the same name, Swift 6 needs the element to
  /// be written: `Observable<Int>.catch(sequence:)`.
  @preconcurrency
  public static func `catch`<Sources: Sequence & Sendable>(
    sequence: Sources
  ) -> Observable<Element> where Sources.Element == Observable<Element> {
    inOrder(sequence, afterErrors: true)
  }

  /// Subscribes sequences in order until one completes.
  public static func `catch`(sequence: [Observable<Element>]) -> Observable<Element> {
    inOrder(sequence, afterErrors: true)
  }

  private func recovering(
    _ handler: @escaping (any Error) throws -> Observable<Element>
  ) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      var isFirst = true
      ConcatSink(down) { error in
        guard isFirst, let error else { return nil }
        isFirst = false
        return try handler(error)
      }.begin(with: source)
    }
  }
}
