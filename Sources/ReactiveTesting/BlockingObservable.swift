public import Reactive

extension ObservableConvertibleType where Element: Sendable {
  /// The sequence for code that blocks its thread.
  ///
  /// - Parameter timeout: the seconds that each wait may take; nil for no limit.
  public func toBlocking(timeout: Double? = nil) -> BlockingObservable<Element> {
    BlockingObservable(source: asObservable(), timeoutSeconds: timeout)
  }
}

/// A sequence whose functions block the calling thread until the events are there.
///
/// Threads: while the main thread waits, it runs the main queue and its run loop, so a sequence may
/// be observed there. It cannot do so from within work of the main queue itself, such as a test of
/// the main actor: a sequence that needs the main queue never ends there. The same holds for a
/// sequence that needs another blocked thread. Set a timeout, or wait on another thread.
public struct BlockingObservable<Element: Sendable>: Sendable {
  let source: Observable<Element>
  let timeoutSeconds: Double?

  /// All elements, after the sequence completed.
  ///
  /// - Throws: the error that it failed with; `RxError.timeout` when it took too long.
  public func toArray() throws -> [Element] { try elements(limit: .max) }

  /// The first element; nil when it completed without one.
  ///
  /// It does not wait for further elements.
  ///
  /// - Throws: the error that it failed with before; `RxError.timeout` when it took too long.
  public func first() throws -> Element? { try elements(limit: 1).first }

  /// The last element, after the sequence completed; nil when there was none.
  ///
  /// - Throws: the error that it failed with; `RxError.timeout` when it took too long.
  public func last() throws -> Element? { try elements(limit: .max).last }

  /// The element of a sequence that has exactly one.
  ///
  /// - Throws: the error that it failed with; `RxError.noElements` or
  ///   `RxError.moreThanOneElement` for another number of elements; `RxError.timeout` when it took
  ///   too long.
  public func single() throws -> Element { try single { _ in true } }

  /// The element that satisfies a condition, of a sequence that has exactly one such element.
  ///
  /// - Parameter predicate: returns whether an element counts.
  /// - Throws: as ``single()``, and the error of the predicate.
  @preconcurrency
  public func single(
    _ predicate: @escaping @Sendable (Element) throws -> Bool
  ) throws -> Element {
    let single = BlockingObservable(
      source: source.single(predicate), timeoutSeconds: timeoutSeconds)
    guard let element = try single.last() else { throw RxError.noElements }
    return element
  }

  /// The elements, and the error if there was one.
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
