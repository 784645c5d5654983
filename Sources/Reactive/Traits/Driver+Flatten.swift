extension Driver {
  /// Sends what the latest of the inner drivers sends, and drops the one before.
  public func switchLatest<Inner>() -> Driver<Inner> where Element == Driver<Inner> {
    Driver<Inner>(source.switchLatest())
  }

  /// Merges the inner drivers: `drivers.merge()` or `drivers.merge(maxConcurrent: 4)`.
  ///
  /// A value to be called and not a method, because beside a method of that name Swift 6 cannot
  /// infer the element of `Driver.merge(a, b)`.
  public var merge: MergingDrivers<Element> { MergingDrivers(outer: self) }
}

/// Merges the drivers that a driver sends; made by calling `merge` on it.
public struct MergingDrivers<Element: Sendable>: Sendable {
  fileprivate let outer: Driver<Element>

  /// Sends what all of the inner drivers send, as it comes.
  public func callAsFunction<Inner>() -> Driver<Inner> where Element == Driver<Inner> {
    Driver<Inner>(outer.source.merge())
  }

  /// Sends what the inner drivers send, with no more than so many driven at a time.
  ///
  /// - Parameter maxConcurrent: at least 1; further inner drivers wait, in order.
  public func callAsFunction<Inner>(maxConcurrent: Int) -> Driver<Inner>
  where Element == Driver<Inner> {
    Driver<Inner>(outer.source.merge(maxConcurrent: maxConcurrent))
  }
}
