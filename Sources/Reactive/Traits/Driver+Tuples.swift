// The overloads for one number of drivers each: with a parameter pack alone, the closure of
// `combineLatest(a, b).drive(onNext: { print($0.0, $0.1) })` does not compile.

extension Driver where Element == any Sendable {
  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>
  ) -> Driver<(A, B)> {
    latestTuples(a, b)
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>
  ) -> Driver<(A, B, C)> {
    latestTuples(a, b, c)
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>
  ) -> Driver<(A, B, C, D)> {
    latestTuples(a, b, c, d)
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>
  ) -> Driver<(A, B, C, D, E)> {
    latestTuples(a, b, c, d, e)
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>
  ) -> Driver<(A, B, C, D, E, F)> {
    latestTuples(a, b, c, d, e, f)
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>
  ) -> Driver<(A, B, C, D, E, F, G)> {
    latestTuples(a, b, c, d, e, f, g)
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable,
    H: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>, _ h: Driver<H>
  ) -> Driver<(A, B, C, D, E, F, G, H)> {
    latestTuples(a, b, c, d, e, f, g, h)
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>
  ) -> Driver<(A, B)> {
    tuples(a, b)
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>
  ) -> Driver<(A, B, C)> {
    tuples(a, b, c)
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>
  ) -> Driver<(A, B, C, D)> {
    tuples(a, b, c, d)
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>
  ) -> Driver<(A, B, C, D, E)> {
    tuples(a, b, c, d, e)
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>
  ) -> Driver<(A, B, C, D, E, F)> {
    tuples(a, b, c, d, e, f)
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>
  ) -> Driver<(A, B, C, D, E, F, G)> {
    tuples(a, b, c, d, e, f, g)
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable,
    H: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>, _ h: Driver<H>
  ) -> Driver<(A, B, C, D, E, F, G, H)> {
    tuples(a, b, c, d, e, f, g, h)
  }
}
