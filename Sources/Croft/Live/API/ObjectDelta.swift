/// What a commit did to one object.
public struct ObjectDelta<M: Model>: Sendable {
  /// The object before the commit; nil where there was none.
  public let old: M?
  /// The object after the commit; nil where there is none.
  public let new: M?
}

extension ObjectDelta: Equatable where M: Equatable {}
extension ObjectDelta: Hashable where M: Hashable {}
