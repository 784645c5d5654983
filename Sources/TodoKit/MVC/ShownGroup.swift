public import Presentation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The group whose screen is open, with its items.
///
/// One value, so that the items of one group are never drawn as those of another.
public struct ShownGroup: Equatable, Sendable {
  /// The group.
  public let id: UUID
  /// Its items, or how far loading them is, or why that failed.
  public let items: LoadState<ItemSections>
}
