#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StoreError: LocalizedError {
  /// The description, so that `localizedDescription` tells the same.
  public var errorDescription: String? { description }
}
