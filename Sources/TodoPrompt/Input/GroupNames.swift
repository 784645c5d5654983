import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The names of groups, for showing items.
struct GroupNames {
  private var names: [UUID: String] = [:]

  init(_ groups: [TodoGroup] = []) {
    for group in groups { names[group.id] = group.name }
  }

  /// The name of an item's group; nil where it has none.
  subscript(_ item: TodoItem) -> String? { item.groupID.flatMap { names[$0] } }
}
