/// An object that is in one of two files alone, or has other values in each.
public struct ObjectDifference: Sendable, Hashable {
  /// The object in the file that is compared with; nil where it has none with the key.
  public let old: DynamicObject?
  /// The object in the file that is compared; nil where it has none with the key.
  public let new: DynamicObject?
  /// The names of the properties whose values differ, in order; empty unless both files have the object.
  public let changedNames: [String]
}

extension StoredValue {
  /// Whether a dump of both values is the same: texts by their scalars, and -0.0 is another number than 0.0.
  func isIdentical(to other: StoredValue) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      left.isNaN && right.isNaN || left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    default: self == other
    }
  }
}
