public import CroftFoundation
public import TodoKit

/// The events of the group screens: each says by its type what the user wants.
///
/// Views emit them; a ``GroupController`` listens. The completion of a request is called before
/// `emit` returns, with the committed values or with the error, which is shown as well. Items and
/// groups are named by their ids, never by an index.
public enum GroupEvents {}

extension GroupEvents {
  /// Makes a group of a filled form: it needs a picture, a name and an item.
  ///
  /// The error is the first part that is missing. The group and its items are one step of undo.
  /// The input is the form; the completion receives the stored group.
  public final class CreateTaskGroup: RequestEvent<GroupDraft, TodoGroup> {}

  /// Makes a group from a name, and from the picture and the items that the draft has.
  ///
  /// The input is the draft; the completion receives the stored group.
  public final class AddTaskGroup: RequestEvent<GroupDraft, TodoGroup> {}

  /// Changes name, colour or picture of a group.
  ///
  /// The input is the change; the completion receives the group afterwards, with its final name.
  public final class UpdateTaskGroup: RequestEvent<GroupChange, CommandResult> {}

  /// Puts a group at a position among the groups.
  ///
  /// The input is the group's id and its position; the completion receives the group afterwards.
  public final class MoveTaskGroup: RequestEvent<Move<UUID>, CommandResult> {}

  /// Asks the user whether to delete a group with its items.
  ///
  /// The input is the group's id; the completion receives the question.
  public final class DeleteTaskGroup: RequestEvent<UUID, PendingDeletion> {}

  /// Fetches a picture; this takes time, and the completion is called when it is done.
  ///
  /// The picture of the group is replaced once the new one has arrived, and is kept if the fetch
  /// fails. Without a group the picture is for the form of a new one. The input is the group's id,
  /// or none; the completion receives the picture.
  public final class FetchRandomImage: RequestEvent<UUID?, GroupImage> {}

  /// A change of a group's properties.
  public struct GroupChange: Hashable, Sendable {
    /// The group.
    public let id: UUID
    /// The new values of the properties that change.
    public let patch: GroupPatch
    /// The group as the user saw it: if a property in the patch has changed since, nothing is
    /// changed.
    public let shown: TodoGroup?

    /// Makes a change of a group, even if the group has changed since it was shown.
    public init(_ id: UUID, _ patch: GroupPatch) {
      self.id = id
      self.patch = patch
      shown = nil
    }

    /// Makes a change of a group that is refused if the same property has changed since it was
    /// shown.
    public init(_ shown: TodoGroup, _ patch: GroupPatch) {
      id = shown.id
      self.patch = patch
      self.shown = shown
    }
  }

  /// A move to a position.
  public struct Move<Subject: Hashable & Sendable>: Hashable, Sendable {
    /// The moved id, or ids.
    public let subject: Subject
    /// The position.
    public let position: Position

    /// Makes a move.
    public init(_ subject: Subject, to position: Position) {
      self.subject = subject
      self.position = position
    }
  }

  /// Makes an item in a group, or in none.
  ///
  /// The input is the title and the group; the completion receives the stored item.
  public final class CreateNewTask: RequestEvent<NewTask, TodoItem> {}

  /// Gives an item another title.
  ///
  /// The input is the item's id and the title; the completion receives the item afterwards.
  public final class EditTaskName: RequestEvent<Title, TodoItem> {}

  /// Marks items done, or open again; items in that state are not changed.
  ///
  /// The input is the items' ids and what they become; the completion receives the items
  /// afterwards.
  public final class CompleteTask: RequestEvent<Marking, [TodoItem]> {}

  /// Moves items to a position, one directly after the other.
  ///
  /// The input is the items' ids and their position; the completion receives the items afterwards.
  public final class MoveTask: RequestEvent<Move<[UUID]>, [TodoItem]> {}

  /// Asks the user whether to delete items.
  ///
  /// The input is the items' ids; the completion receives the question.
  public final class DeleteTask: RequestEvent<[UUID], PendingDeletion> {}

  /// Answers the question before a deletion with yes: exactly the objects in the question are
  /// deleted.
  ///
  /// The input is the question's token; the completion receives what was deleted.
  public final class ConfirmDeletion: RequestEvent<UUID, Deletion> {}

  /// Answers the question before a deletion with no.
  ///
  /// The input is the question's token.
  public final class CancelDeletion: RequestEvent<UUID, Void> {}

  /// A new item as it was typed.
  public struct NewTask: Hashable, Sendable {
    /// The title, untrimmed.
    public let title: String
    /// The group it belongs to; nil for none.
    public let groupID: UUID?

    /// Makes a new item of what was typed.
    public init(_ title: String, in groupID: UUID? = nil) {
      self.title = title
      self.groupID = groupID
    }
  }

  /// Another title for an item.
  public struct Title: Hashable, Sendable {
    /// The item.
    public let id: UUID
    /// The title, untrimmed.
    public let title: String

    /// Makes a title as it was typed.
    public init(_ id: UUID, to title: String) {
      self.id = id
      self.title = title
    }
  }

  /// A new state of items: done or open.
  public struct Marking: Hashable, Sendable {
    /// The items.
    public let ids: [UUID]
    /// Whether the items become done, or open again.
    public let isDone: Bool

    /// Makes a new state of items.
    public init(_ ids: [UUID], isDone: Bool = true) {
      self.ids = ids
      self.isDone = isDone
    }
  }

  /// The items and groups that were deleted, and their index before.
  public struct Deletion: Hashable, Sendable {
    /// The result of the deletion, with the deleted items and groups.
    public let report: CommandResult
    /// The index of the group, or of the first item, in its list; nil if it was not shown.
    public let index: Int?
  }
}
