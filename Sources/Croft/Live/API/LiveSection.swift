/// The objects of a live result that have one value of a property.
///
/// Threads: any; it is a value.
public struct LiveSection<M: Model, Key: Ordered>: RandomAccessCollection, Sendable {
  /// The value.
  public let key: Key
  private let results: LiveResults<M>
  private let range: Range<Int>

  init(_ key: Key, _ results: LiveResults<M>, _ range: Range<Int>) {
    self.key = key
    self.results = results
    self.range = range
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// How many objects there are; at least one.
  public var endIndex: Int { range.count }

  /// The object at an index.
  ///
  /// - Complexity: O(log *n*), and making the object.
  /// - Precondition: The index is below ``endIndex``.
  public subscript(position: Int) -> M {
    precondition(position >= 0 && position < range.count, "The index is not in the section.")
    return results[range.lowerBound + position]
  }
}

extension LiveSection: CustomStringConvertible {
  /// The value, and the objects as an array shows them.
  public var description: String { "\(key): \(Array(self))" }
}
