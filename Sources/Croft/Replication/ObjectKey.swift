/// Names an object in a store: its model's number in the catalog, and its primary key's code.
package struct ObjectKey: Hashable, Comparable, Sendable {
  /// The model's number in the catalog.
  package var model: Int
  /// K1(primary key).
  package var key: [UInt8]

  /// Names an object.
  package init(model: Int, key: [UInt8]) { (self.model, self.key) = (model, key) }

  /// Compares as the keys of trees do that begin with the model's number.
  package static func < (left: Self, right: Self) -> Bool {
    left.model == right.model
      ? left.key.lexicographicallyPrecedes(right.key) : left.model < right.model
  }
}

/// A reference from an object to another one.
package struct ObjectReference: Hashable, Sendable {
  /// The object that refers.
  package var source: ObjectKey
  /// The number of the column's field.
  package var field: UInt16
  /// The object that is referred to, which need not be there.
  package var target: ObjectKey
  /// The rule for a deletion of the target.
  package var rule: DeleteRule
}

/// The values of an object's fields by their numbers, but for those that only the primary key has.
package typealias ObjectFields = [UInt16: OutboxEntry.Field]
