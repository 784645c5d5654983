// The overloads for one number of drivers each: with a parameter pack alone, the closure of
// `combineLatest(a, b).drive(onNext: { print($0.0, $0.1) })` does not compile.

extension Driver where Element == any Sendable {
  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>
  ) -> Driver<(A, B)> {
    Driver<(A, B)>(Observable<Any>.combineLatest(a.source, b.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>
  ) -> Driver<(A, B, C)> {
    Driver<(A, B, C)>(Observable<Any>.combineLatest(a.source, b.source, c.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>
  ) -> Driver<(A, B, C, D)> {
    Driver<(A, B, C, D)>(Observable<Any>.combineLatest(a.source, b.source, c.source, d.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>
  ) -> Driver<(A, B, C, D, E)> {
    Driver<(A, B, C, D, E)>(
      Observable<Any>.combineLatest(a.source, b.source, c.source, d.source, e.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>
  ) -> Driver<(A, B, C, D, E, F)> {
    Driver<(A, B, C, D, E, F)>(
      Observable<Any>.combineLatest(a.source, b.source, c.source, d.source, e.source, f.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>
  ) -> Driver<(A, B, C, D, E, F, G)> {
    Driver<(A, B, C, D, E, F, G)>(
      Observable<Any>.combineLatest(
        a.source, b.source, c.source, d.source, e.source, f.source, g.source))
  }

  /// Emits the latest elements of all drivers as a tuple.
  public static func combineLatest<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable,
    H: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>, _ h: Driver<H>
  ) -> Driver<(A, B, C, D, E, F, G, H)> {
    Driver<(A, B, C, D, E, F, G, H)>(
      Observable<Any>.combineLatest(
        a.source, b.source, c.source, d.source, e.source, f.source, g.source, h.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>
  ) -> Driver<(A, B)> {
    Driver<(A, B)>(Observable<Any>.zip(a.source, b.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>
  ) -> Driver<(A, B, C)> {
    Driver<(A, B, C)>(Observable<Any>.zip(a.source, b.source, c.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>
  ) -> Driver<(A, B, C, D)> {
    Driver<(A, B, C, D)>(Observable<Any>.zip(a.source, b.source, c.source, d.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>
  ) -> Driver<(A, B, C, D, E)> {
    Driver<(A, B, C, D, E)>(Observable<Any>.zip(a.source, b.source, c.source, d.source, e.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>
  ) -> Driver<(A, B, C, D, E, F)> {
    Driver<(A, B, C, D, E, F)>(
      Observable<Any>.zip(a.source, b.source, c.source, d.source, e.source, f.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>
  ) -> Driver<(A, B, C, D, E, F, G)> {
    Driver<(A, B, C, D, E, F, G)>(
      Observable<Any>.zip(a.source, b.source, c.source, d.source, e.source, f.source, g.source))
  }

  /// Emits the elements of each index as a tuple.
  public static func zip<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable,
    H: Sendable
  >(
    _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
    _ g: Driver<G>, _ h: Driver<H>
  ) -> Driver<(A, B, C, D, E, F, G, H)> {
    Driver<(A, B, C, D, E, F, G, H)>(
      Observable<Any>.zip(
        a.source, b.source, c.source, d.source, e.source, f.source, g.source, h.source))
  }
}
