package import Presentation

/// What the state of a list changes for: what the user does, and what comes of it.
package enum GroupStep: Equatable, Sendable {
  /// The user did something.
  case user(GroupIntent)
  /// The list was read, or has changed.
  case itemsRead(ItemSections)
  /// The list's group was read, or has changed; nil where there is none.
  case groupRead(TodoGroup?)
  /// List or group cannot be read.
  case readFailed(PresentableError)
  /// A deletion waits for the user's answer.
  case asked(PendingDeletion)
  /// What was wanted is stored.
  case committed
  /// What was wanted was not done.
  case failed(PresentableError)
}
