// The overloads for two to four drivers: with the parameter pack alone, a closure of one expression
// that makes an `Any` of an element, as in `drive(onNext: { print($0.0) })`, does not compile.

extension Driver where Element == any Sendable {
  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>
  ) -> Driver<(A, B)> {
    .init(Observable<Any>.combineLatest(a.source, b.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>
  ) -> Driver<(A, B, C)> {
    .init(Observable<Any>.combineLatest(a.source, b.source, c.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>
  ) -> Driver<(A, B, C, D)> {
    .init(Observable<Any>.combineLatest(a.source, b.source, c.source, d.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>
  ) -> Driver<(A, B)> {
    .init(Observable<Any>.zip(a.source, b.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>
  ) -> Driver<(A, B, C)> {
    .init(Observable<Any>.zip(a.source, b.source, c.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>
  ) -> Driver<(A, B, C, D)> {
    .init(Observable<Any>.zip(a.source, b.source, c.source, d.source))
  }
}
