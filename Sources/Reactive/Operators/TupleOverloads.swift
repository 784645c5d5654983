// The overloads for one number of sources each: with a parameter pack alone, the closure of
// `zip(a, b).subscribe(onNext: { print($0.0, $0.1) })` does not compile.

extension ObservableType where Element == Any {
  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>
  ) -> Observable<(A, B)> {
    zippingTuples(a, b)
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>
  ) -> Observable<(A, B, C)> {
    zippingTuples(a, b, c)
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C, D>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>
  ) -> Observable<(A, B, C, D)> {
    zippingTuples(a, b, c, d)
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C, D, E>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>
  ) -> Observable<(A, B, C, D, E)> {
    zippingTuples(a, b, c, d, e)
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C, D, E, F>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>, _ f: some ObservableType<F>
  ) -> Observable<(A, B, C, D, E, F)> {
    zippingTuples(a, b, c, d, e, f)
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C, D, E, F, G>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>, _ f: some ObservableType<F>,
    _ g: some ObservableType<G>
  ) -> Observable<(A, B, C, D, E, F, G)> {
    zippingTuples(a, b, c, d, e, f, g)
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C, D, E, F, G, H>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>, _ f: some ObservableType<F>,
    _ g: some ObservableType<G>, _ h: some ObservableType<H>
  ) -> Observable<(A, B, C, D, E, F, G, H)> {
    zippingTuples(a, b, c, d, e, f, g, h)
  }
}

extension ObservableType where Element == Any {
  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>
  ) -> Observable<(A, B)> {
    combiningLatestTuples(a, b)
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>
  ) -> Observable<(A, B, C)> {
    combiningLatestTuples(a, b, c)
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C, D>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>
  ) -> Observable<(A, B, C, D)> {
    combiningLatestTuples(a, b, c, d)
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C, D, E>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>
  ) -> Observable<(A, B, C, D, E)> {
    combiningLatestTuples(a, b, c, d, e)
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C, D, E, F>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>, _ f: some ObservableType<F>
  ) -> Observable<(A, B, C, D, E, F)> {
    combiningLatestTuples(a, b, c, d, e, f)
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C, D, E, F, G>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>, _ f: some ObservableType<F>,
    _ g: some ObservableType<G>
  ) -> Observable<(A, B, C, D, E, F, G)> {
    combiningLatestTuples(a, b, c, d, e, f, g)
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C, D, E, F, G, H>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>, _ e: some ObservableType<E>, _ f: some ObservableType<F>,
    _ g: some ObservableType<G>, _ h: some ObservableType<H>
  ) -> Observable<(A, B, C, D, E, F, G, H)> {
    combiningLatestTuples(a, b, c, d, e, f, g, h)
  }
}
