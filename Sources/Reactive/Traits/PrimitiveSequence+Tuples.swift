// The overloads for one number of sequences each: with a parameter pack alone, the closure of
// `zip(a, b).subscribe(onSuccess: { print($0.0, $0.1) })` does not compile.

extension PrimitiveSequence where Trait: ElementTrait, Element == Any {
  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>
  ) -> PrimitiveSequence<Trait, (A, B)> {
    tuples(a, b)
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>
  ) -> PrimitiveSequence<Trait, (A, B, C)> {
    tuples(a, b, c)
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C, D>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>, _ d: PrimitiveSequence<Trait, D>
  ) -> PrimitiveSequence<Trait, (A, B, C, D)> {
    tuples(a, b, c, d)
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C, D, E>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>, _ d: PrimitiveSequence<Trait, D>,
    _ e: PrimitiveSequence<Trait, E>
  ) -> PrimitiveSequence<Trait, (A, B, C, D, E)> {
    tuples(a, b, c, d, e)
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C, D, E, F>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>, _ d: PrimitiveSequence<Trait, D>,
    _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>
  ) -> PrimitiveSequence<Trait, (A, B, C, D, E, F)> {
    tuples(a, b, c, d, e, f)
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C, D, E, F, G>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>, _ d: PrimitiveSequence<Trait, D>,
    _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>,
    _ g: PrimitiveSequence<Trait, G>
  ) -> PrimitiveSequence<Trait, (A, B, C, D, E, F, G)> {
    tuples(a, b, c, d, e, f, g)
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C, D, E, F, G, H>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>, _ d: PrimitiveSequence<Trait, D>,
    _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>,
    _ g: PrimitiveSequence<Trait, G>, _ h: PrimitiveSequence<Trait, H>
  ) -> PrimitiveSequence<Trait, (A, B, C, D, E, F, G, H)> {
    tuples(a, b, c, d, e, f, g, h)
  }
}
