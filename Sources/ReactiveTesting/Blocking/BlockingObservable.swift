public import Reactive

/// How a sequence went that was waited for.
public enum MaterializedSequenceResult<Element> {
  /// It completed.
  case completed(elements: [Element])
  /// It failed, or did not end in time.
  case failed(elements: [Element], error: any Error)
}

extension MaterializedSequenceResult: Sendable where Element: Sendable {}

extension ObservableConvertibleType where Element: Sendable {
  /// The sequence for code that waits.
  ///
  /// - Parameter timeout: how many seconds each wait may take; nil for any number.
  public func toBlocking(timeout: Double? = nil) -> BlockingObservable<Element> {
    BlockingObservable(source: asObservable(), timeoutSeconds: timeout)
  }
}

/// A sequence that is waited for.
///
/// Threads: the calling thread waits. The main thread does what comes to the main queue and its run
/// loop meanwhile, so a sequence may be observed there. Work that runs on the main queue itself, as
/// a test of the main actor does, keeps it from all other work until it returns: a sequence that
/// needs the main queue cannot be waited for from within. Nor can one that needs the very thread
/// that waits. Give those a timeout, or wait elsewhere.
public struct BlockingObservable<Element: Sendable>: Sendable {
  let source: Observable<Element>
  let timeoutSeconds: Double?

  /// All elements, once the sequence completed.
  ///
  /// - Throws: the error that it failed with; `RxError.timeout` when it took too long.
  public func toArray() throws -> [Element] { try elements(limit: .max) }

  /// The first element; nil when it completed without one.
  ///
  /// No further one is waited for.
  ///
  /// - Throws: the error that it failed with before; `RxError.timeout` when it took too long.
  public func first() throws -> Element? { try elements(limit: 1).first }

  /// The last element, once the sequence completed; nil when there was none.
  ///
  /// - Throws: the error that it failed with; `RxError.timeout` when it took too long.
  public func last() throws -> Element? { try elements(limit: .max).last }

  /// The one element of a sequence that has exactly one.
  ///
  /// - Throws: the error that it failed with; `RxError.noElements` or
  ///   `RxError.moreThanOneElement` when there was another number of them; `RxError.timeout`
  ///   when it took too long.
  public func single() throws -> Element { try single { _ in true } }

  /// The one element that meets a condition, of a sequence that has exactly one of those.
  ///
  /// - Parameter predicate: says which elements count.
  /// - Throws: as ``single()``, and what the predicate throws.
  @preconcurrency
  public func single(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) throws -> Element {
    let found = try BlockingObservable(
      source: source.filter(predicate), timeoutSeconds: timeoutSeconds
    )
    .elements(limit: 2)
    guard let element = found.first else { throw RxError.noElements }
    if found.count > 1 { throw RxError.moreThanOneElement }
    return element
  }

  /// How it went: the elements, and the error if there was one.
  public func materialize() -> MaterializedSequenceResult<Element> { result(limit: .max) }

  private func elements(limit: Int) throws -> [Element] {
    switch result(limit: limit) {
    case .completed(let elements): return elements
    case .failed(_, let error): throw error
    }
  }

  private func result(limit: Int) -> MaterializedSequenceResult<Element> {
    let sink = BlockingSink<Element>(limit: limit)
    source.run(sink)
    return sink.wait(seconds: timeoutSeconds)
  }
}
