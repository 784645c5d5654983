/// A reference that does not keep its object alive, as a value that collections can hold.
public struct WeakRef<T: AnyObject> {
  /// The object; nil once it is gone.
  public weak var value: T?

  /// Makes a reference to an object, or to none.
  public init(_ value: T?) {
    self.value = value
  }
}

extension WeakRef: Sendable where T: Sendable {}
