#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What is to be done beside a change of state; as a value, so that a test can foretell it.
package enum GroupWork: Hashable, Sendable {
  /// Reads the list and its group, and goes on with whatever changes them.
  case read
  /// Makes an item of an accepted title.
  case add(title: String)
  /// Has a command done.
  case perform(TodoCommand)
  /// Asks for the deletion of items.
  case ask(items: [UUID])
  /// Asks for the deletion of a group.
  case askGroup(id: UUID)
  /// Deletes what was asked about.
  case confirm(token: UUID)
  /// Gives up what was asked about.
  case cancel(token: UUID)
}
