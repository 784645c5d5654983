/// The fields of an object that a commit changes.
package enum LiveFields: Sendable, Hashable {
  /// `text` and `createdAt`, which no index holds.
  case textAndTime
  /// `priority` and `groupId`, each with an index.
  case priorityAndGroup
}
