// The overloads for one number of sources each: with a parameter pack alone, the closure of
// `zip(a, b).subscribe(onNext: { print($0.0, $0.1) })` does not compile.

extension ObservableType where Element == Any {
  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<
    A: ObservableType, B: ObservableType
  >(
    _ a: A, _ b: B
  ) -> Observable<(A.Element, B.Element)> {
    zipping(
      a.asObservable(), b.asObservable()
    ) { ($0, $1) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<
    A: ObservableType, B: ObservableType, C: ObservableType
  >(
    _ a: A, _ b: B, _ c: C
  ) -> Observable<(A.Element, B.Element, C.Element)> {
    zipping(
      a.asObservable(), b.asObservable(), c.asObservable()
    ) { ($0, $1, $2) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element)> {
    zipping(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable()
    ) { ($0, $1, $2, $3) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)> {
    zipping(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable()
    ) { ($0, $1, $2, $3, $4) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
    F: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)> {
    zipping(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
      f.asObservable()
    ) { ($0, $1, $2, $3, $4, $5) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
    F: ObservableType, G: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)> {
    zipping(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
      f.asObservable(), g.asObservable()
    ) { ($0, $1, $2, $3, $4, $5, $6) }
  }

  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
    F: ObservableType, G: ObservableType, H: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Observable<
    (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)
  > {
    zipping(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
      f.asObservable(), g.asObservable(), h.asObservable()
    ) { ($0, $1, $2, $3, $4, $5, $6, $7) }
  }
}

extension ObservableType where Element == Any {
  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<
    A: ObservableType, B: ObservableType
  >(
    _ a: A, _ b: B
  ) -> Observable<(A.Element, B.Element)> {
    combiningLatest(
      a.asObservable(), b.asObservable()
    ) { ($0, $1) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<
    A: ObservableType, B: ObservableType, C: ObservableType
  >(
    _ a: A, _ b: B, _ c: C
  ) -> Observable<(A.Element, B.Element, C.Element)> {
    combiningLatest(
      a.asObservable(), b.asObservable(), c.asObservable()
    ) { ($0, $1, $2) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element)> {
    combiningLatest(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable()
    ) { ($0, $1, $2, $3) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)> {
    combiningLatest(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable()
    ) { ($0, $1, $2, $3, $4) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
    F: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)> {
    combiningLatest(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
      f.asObservable()
    ) { ($0, $1, $2, $3, $4, $5) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
    F: ObservableType, G: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)> {
    combiningLatest(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
      f.asObservable(), g.asObservable()
    ) { ($0, $1, $2, $3, $4, $5, $6) }
  }

  /// Emits the latest elements of all sources as a tuple.
  @inlinable
  public static func combineLatest<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
    F: ObservableType, G: ObservableType, H: ObservableType
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Observable<
    (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)
  > {
    combiningLatest(
      a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
      f.asObservable(), g.asObservable(), h.asObservable()
    ) { ($0, $1, $2, $3, $4, $5, $6, $7) }
  }
}
