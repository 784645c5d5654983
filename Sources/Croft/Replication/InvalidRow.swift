/// A received row is not an object of its model.
package struct InvalidRow: Error, Sendable {
  /// What is wrong with it.
  package let reason: String

  /// Makes the error.
  package init(reason: String) { self.reason = reason }
}
