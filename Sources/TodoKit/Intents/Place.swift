#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where on a list something is put; neighbours are named, because indexes change under one's hand.
public enum Place: Hashable, Codable, Sendable {
  /// In front of all.
  case first
  /// Behind all.
  case last
  /// Directly in front of another.
  case before(id: UUID)
  /// Directly behind another.
  case after(id: UUID)
}
