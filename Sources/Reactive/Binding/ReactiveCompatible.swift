/// A type that has the namespace `rx`.
///
/// A type conforms by an extension without members.
public protocol ReactiveCompatible {
  /// The type whose members the namespace has; the conforming type.
  associatedtype ReactiveBase

  /// The namespace of the type's static members.
  static var rx: Rx<ReactiveBase>.Type { get }

  /// The namespace of an instance.
  var rx: Rx<ReactiveBase> { get }
}

extension ReactiveCompatible {
  /// The namespace of the type's static members.
  public static var rx: Rx<Self>.Type { Rx<Self>.self }

  /// The namespace of an instance.
  public var rx: Rx<Self> { Rx(self) }
}
