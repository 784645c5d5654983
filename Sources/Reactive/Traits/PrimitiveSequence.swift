/// A sequence that promises how many elements it has; `Single`, `Maybe` and `Completable` are it.
///
/// What differs between those three is the trait; what they have in common stands here, and is
/// free for extensions over all of them.
///
/// Threads: as an observable: `Sendable`, and free to subscribe anywhere, when its elements are.
public struct PrimitiveSequence<Trait, Element> {
  let source: Observable<Element>

  /// Takes a sequence that is known to keep the trait's promise.
  init(raw source: Observable<Element>) {
    self.source = source
  }
}

extension PrimitiveSequence: Sendable where Element: Sendable {}

/// What `Single`, `Maybe` and `Completable` are seen as, to extend one of them.
public protocol PrimitiveSequenceType<Trait, Element>: ObservableConvertibleType {
  /// Says how many elements there are.
  associatedtype Trait

  /// The sequence with its trait.
  var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequence: PrimitiveSequenceType {
  /// The sequence itself.
  public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }

  /// The same sequence without its promise.
  public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequenceType {
  var source: Observable<Element> { primitiveSequence.source }
}
