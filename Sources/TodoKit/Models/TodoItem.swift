public import Croft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One thing to do.
///
/// A value: it may cross threads, and it outlives the stored row it was read from.
@Model
public struct TodoItem: Hashable, Codable, Sendable {
  /// What the item is known by, for ever; items made later have greater ones.
  @PrimaryKey public var id: UUID = .timeOrdered()
  /// What is to be done, as the title rule left it.
  public var title: String
  /// How urgent it is.
  @Indexed public var priority: Priority = .none
  /// Whether it has been done.
  public var isDone: Bool = false
  /// Whether it carries a star.
  public var isImportant: Bool = false
  /// When it was made.
  public var createdAt: Date = .now
}
