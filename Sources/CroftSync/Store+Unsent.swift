public import Croft

extension Store {
  /// How many objects have changes that were not sent; 0 in a store that is not shared.
  ///
  /// - Throws: `StoreError`.
  public func unsentChanges() throws -> Int { try unsentCount() }
}
