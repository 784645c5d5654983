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
  public struct CreateTaskGroup: RequestEvent {
    /// The form; the completion receives the stored group.
    public let payload: RequestPayload<GroupDraft, TodoGroup>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<GroupDraft, TodoGroup>) { self.payload = payload }
  }

  /// Makes a group from a name, and from the picture and the items that the draft has.
  public struct AddTaskGroup: RequestEvent {
    /// The draft; the completion receives the stored group.
    public let payload: RequestPayload<GroupDraft, TodoGroup>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<GroupDraft, TodoGroup>) { self.payload = payload }
  }

  /// Changes name, colour or picture of a group.
  public struct UpdateTaskGroup: RequestEvent {
    /// What changes; the completion receives the group afterwards, with its final name.
    public let payload: RequestPayload<GroupChange, CommandResult>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<GroupChange, CommandResult>) { self.payload = payload }
  }

  /// Puts a group at a position among the groups.
  public struct MoveTaskGroup: RequestEvent {
    /// The group's id and its position; the completion receives the group afterwards.
    public let payload: RequestPayload<Move<UUID>, CommandResult>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Move<UUID>, CommandResult>) { self.payload = payload }
  }

  /// Asks the user whether to delete a group with its items.
  public struct DeleteTaskGroup: RequestEvent {
    /// The group's id; the completion receives the question.
    public let payload: RequestPayload<UUID, PendingDeletion>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<UUID, PendingDeletion>) { self.payload = payload }
  }

  /// Fetches a picture; this takes time, and the completion is called when it is done.
  ///
  /// The picture of the group is replaced once the new one has arrived, and is kept if the fetch
  /// fails. Without a group the picture is for the form of a new one.
  public struct FetchRandomImage: RequestEvent {
    /// The group's id, or none; the completion receives the picture.
    public let payload: RequestPayload<UUID?, GroupImage>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<UUID?, GroupImage>) { self.payload = payload }
  }

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
}

extension GroupEvents {
  /// Makes an item in a group, or in none.
  public struct CreateNewTask: RequestEvent {
    /// The title and the group; the completion receives the stored item.
    public let payload: RequestPayload<NewTask, TodoItem>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<NewTask, TodoItem>) { self.payload = payload }
  }

  /// Gives an item another title.
  public struct EditTaskName: RequestEvent {
    /// The item's id and the title; the completion receives the item afterwards.
    public let payload: RequestPayload<Title, TodoItem>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Title, TodoItem>) { self.payload = payload }
  }

  /// Marks items done, or open again; items in that state are not changed.
  public struct CompleteTask: RequestEvent {
    /// The items' ids and what they become; the completion receives the items afterwards.
    public let payload: RequestPayload<Marking, [TodoItem]>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Marking, [TodoItem]>) { self.payload = payload }
  }

  /// Moves items to a position, one directly after the other.
  public struct MoveTask: RequestEvent {
    /// The items' ids and their position; the completion receives the items afterwards.
    public let payload: RequestPayload<Move<[UUID]>, [TodoItem]>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Move<[UUID]>, [TodoItem]>) { self.payload = payload }
  }

  /// Asks the user whether to delete items.
  public struct DeleteTask: RequestEvent {
    /// The items' ids; the completion receives the question.
    public let payload: RequestPayload<[UUID], PendingDeletion>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<[UUID], PendingDeletion>) { self.payload = payload }
  }

  /// Answers the question before a deletion with yes: exactly the objects in the question are
  /// deleted.
  public struct ConfirmDeletion: RequestEvent {
    /// The question's token; the completion receives what was deleted.
    public let payload: RequestPayload<UUID, Deletion>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<UUID, Deletion>) { self.payload = payload }
  }

  /// Answers the question before a deletion with no.
  public struct CancelDeletion: RequestEvent {
    /// The question's token.
    public let payload: RequestPayload<UUID, Void>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<UUID, Void>) { self.payload = payload }
  }

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
