#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which of the two lines a place is on.
enum Line: Sendable {
  /// The line of all items.
  case items
  /// The line of all groups.
  case groups
}

/// Which way to look along a line.
enum LineDirection: Sendable {
  /// Towards the beginning.
  case front
  /// Towards the end.
  case behind
}

/// Something on a line, and where it stands.
struct LinePlace: Hashable, Sendable {
  let id: UUID
  let order: Int64
}
