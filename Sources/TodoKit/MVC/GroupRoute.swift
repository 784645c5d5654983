#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The screens about groups.
public enum GroupRoute: Hashable, Sendable {
  /// All groups.
  case home
  /// The form of a new group.
  case newGroup
  /// The form of a group.
  case editGroup(UUID)
  /// The items of a group.
  case group(UUID)
  /// The choice of a colour, from the one that is chosen until now.
  case colorPicker(RGBA)

  /// The group that the screen is about; nil where it is about none.
  public var groupID: UUID? {
    switch self {
    case .editGroup(let id), .group(let id): id
    case .home, .newGroup, .colorPicker: nil
    }
  }
}
