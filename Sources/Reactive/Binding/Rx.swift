/// The namespace of the reactive members of a type: `label.rx`.
///
/// Members are added by extensions. On the main actor, every writable property of an object has a
/// binder:
///
/// ```swift
/// titles.bind(to: label.rx.text).disposed(by: bag)
/// ```
///
/// A member that is not a property is declared as ``Binder`` shows.
///
/// It is the `Reactive` of RxSwift, which cannot have the name of this module.
@dynamicMemberLookup
public struct Rx<Base> {
  /// The object or value whose members these are.
  public let base: Base

  /// Makes the namespace of an object or value.
  public init(_ base: Base) { self.base = base }

  /// A binder that assigns elements to a property, on the main actor.
  ///
  /// Threads: it is made on the main actor; its elements may come from any thread.
  @MainActor
  public subscript<Value: Sendable>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Base, Value>
  ) -> Binder<Value> where Base: AnyObject {
    Binder(base, assigning: keyPath)
  }
}

extension Rx: Sendable where Base: Sendable {}
