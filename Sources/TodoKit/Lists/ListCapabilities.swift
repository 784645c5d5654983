/// What a user can do with a list itself; front ends hide or refuse the rest.
public struct ListCapabilities: Hashable, Sendable {
  /// Whether items can be added to it.
  public let canAdd: Bool
  /// Whether it can be given another name.
  public let canRename: Bool
  /// Whether it can be deleted.
  public let canDelete: Bool
}
