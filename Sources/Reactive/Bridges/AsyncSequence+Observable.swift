extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Sends the elements, from a task of its own for each subscription.
  ///
  /// Disposing the subscription cancels the task, which takes no further element then; what it
  /// sends after that is dropped.
  public func asObservable() -> Observable<Element> {
    .running { emitter in
      for try await element in self {
        emitter.next(element)
        // A sequence that never suspends does not notice by itself.
        if Task.isCancelled { break }
      }
    }
  }
}

extension ObservableType where Element: Sendable {
  /// Sends the elements of an asynchronous sequence, from a task for each subscription.
  ///
  /// Disposing the subscription cancels the task; what it sends after that is dropped.
  public static func from<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements
  ) -> Observable<Element> where Elements.Element == Element {
    sequence.asObservable()
  }
}
