// The overloads for two to four sources: with the parameter pack alone, a closure of one expression
// that makes an `Any` of an element, as in `zip(a, b).map { print($0.0) }`, does not compile.

extension ObservableType where Element == Any {
  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>
  ) -> Observable<(A, B)> {
    .zip(a, b) { ($0, $1) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>
  ) -> Observable<(A, B, C)> {
    .zip(a, b, c) { ($0, $1, $2) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<A, B, C, D>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>
  ) -> Observable<(A, B, C, D)> {
    .zip(a, b, c, d) { ($0, $1, $2, $3) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>
  ) -> Observable<(A, B)> {
    .combineLatest(a, b) { ($0, $1) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>
  ) -> Observable<(A, B, C)> {
    .combineLatest(a, b, c) { ($0, $1, $2) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<A, B, C, D>(
    _ a: some ObservableType<A>, _ b: some ObservableType<B>, _ c: some ObservableType<C>,
    _ d: some ObservableType<D>
  ) -> Observable<(A, B, C, D)> {
    .combineLatest(a, b, c, d) { ($0, $1, $2, $3) }
  }
}
