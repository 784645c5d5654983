#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GroupEvents {
  /// Makes an item in a group, or in none.
  public struct CreateNewTask: RequestEvent {
    /// The title and the group, and who is told of the item as it was stored.
    public let payload: RequestPayload<NewTask, TodoItem>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<NewTask, TodoItem>) { self.payload = payload }
  }

  /// Gives an item another title.
  public struct EditTaskName: RequestEvent {
    /// The item's id and the title, and who is told of the item afterwards.
    public let payload: RequestPayload<Title, TodoItem>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Title, TodoItem>) { self.payload = payload }
  }

  /// Marks items done, or open again; those that are so already stay so.
  public struct CompleteTask: RequestEvent {
    /// The items' ids and what they become, and who is told of the items afterwards.
    public let payload: RequestPayload<Marking, [TodoItem]>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Marking, [TodoItem]>) { self.payload = payload }
  }

  /// Puts items side by side at a place on their list.
  public struct MoveTask: RequestEvent {
    /// The items' ids and their place, and who is told of the items afterwards.
    public let payload: RequestPayload<Move<[UUID]>, [TodoItem]>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Move<[UUID]>, [TodoItem]>) { self.payload = payload }
  }

  /// Asks for the deletion of items: the user is asked first.
  public struct DeleteTask: RequestEvent {
    /// The items' ids, and who is told of the question.
    public let payload: RequestPayload<[UUID], PendingDeletion>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<[UUID], PendingDeletion>) { self.payload = payload }
  }

  /// Answers the question before a deletion with yes: exactly what was asked about goes.
  public struct ConfirmDeletion: RequestEvent {
    /// The question's token, and who is told of what went.
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

  /// Whether items are done.
  public struct Marking: Hashable, Sendable {
    /// The items.
    public let ids: [UUID]
    /// What they become: done, or open again.
    public let isDone: Bool

    /// Makes what items become.
    public init(_ ids: [UUID], isDone: Bool = true) {
      self.ids = ids
      self.isDone = isDone
    }
  }

  /// What went, and where it stood.
  public struct Deletion: Hashable, Sendable {
    /// What was deleted.
    public let report: CommandResult
    /// Where the group, or the first of the items, stood on its list; nil where it was not shown.
    public let index: Int?
  }
}
