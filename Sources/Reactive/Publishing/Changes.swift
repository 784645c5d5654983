/// A property's value before and after it was assigned.
public struct Changes<Property> {
  /// The value before.
  public var old: Property
  /// The value after.
  public var new: Property

  /// Makes a change from one value to another.
  public init(old: Property, new: Property) {
    self.old = old
    self.new = new
  }
}

extension Changes: Sendable where Property: Sendable {}
extension Changes: Equatable where Property: Equatable {}
extension Changes: Hashable where Property: Hashable {}
