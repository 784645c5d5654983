// The overloads for two to four sequences: with the parameter pack alone, a closure of one expression
// that makes an `Any` of an element, as in `zip(a, b).map { print($0.0) }`, does not compile.

extension PrimitiveSequence where Trait: ElementTrait, Element == Any {
  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>
  ) -> PrimitiveSequence<Trait, (A, B)> {
    .init(raw: Observable<Any>.zip(a.source, b.source))
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>
  ) -> PrimitiveSequence<Trait, (A, B, C)> {
    .init(raw: Observable<Any>.zip(a.source, b.source, c.source))
  }

  /// Emits the elements of all sequences as a tuple, if each has one; the first error ends it.
  public static func zip<A, B, C, D>(
    _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
    _ c: PrimitiveSequence<Trait, C>, _ d: PrimitiveSequence<Trait, D>
  ) -> PrimitiveSequence<Trait, (A, B, C, D)> {
    .init(raw: Observable<Any>.zip(a.source, b.source, c.source, d.source))
  }
}
