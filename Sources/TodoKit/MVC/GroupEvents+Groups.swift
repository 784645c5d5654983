#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GroupEvents {
  /// Makes a group of a filled form: it needs a picture, a name and an item.
  ///
  /// The first thing that is missing is the error. Group and items are one step of undo.
  public struct CreateTaskGroup: RequestEvent {
    /// The form, and who is told of the group as it was stored.
    public let payload: RequestPayload<GroupDraft, TodoGroup>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<GroupDraft, TodoGroup>) { self.payload = payload }
  }

  /// Makes a group of a name alone, or with what else the draft names.
  public struct AddTaskGroup: RequestEvent {
    /// The draft, and who is told of the group as it was stored.
    public let payload: RequestPayload<GroupDraft, TodoGroup>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<GroupDraft, TodoGroup>) { self.payload = payload }
  }

  /// Changes name, colour or picture of a group.
  public struct UpdateTaskGroup: RequestEvent {
    /// What changes, and who is told of the group afterwards, with the name it really got.
    public let payload: RequestPayload<GroupChange, CommandResult>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<GroupChange, CommandResult>) { self.payload = payload }
  }

  /// Puts a group at a place among the groups.
  public struct MoveTaskGroup: RequestEvent {
    /// The group's id and its place, and who is told of the group afterwards.
    public let payload: RequestPayload<Move<UUID>, CommandResult>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<Move<UUID>, CommandResult>) { self.payload = payload }
  }

  /// Asks for the deletion of a group with its items: the user is asked first.
  public struct DeleteTaskGroup: RequestEvent {
    /// The group's id, and who is told of the question.
    public let payload: RequestPayload<UUID, PendingDeletion>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<UUID, PendingDeletion>) { self.payload = payload }
  }

  /// Fetches a picture; this takes time, and the completion is called when it is done.
  ///
  /// A group's own picture is replaced once the new one is there, and stays where none can be
  /// had. Without a group the picture is for the form of a new one.
  public struct FetchRandomImage: RequestEvent {
    /// The group's id, or none, and who is told of the picture.
    public let payload: RequestPayload<UUID?, GroupImage>

    /// Makes the event of its payload.
    public init(payload: RequestPayload<UUID?, GroupImage>) { self.payload = payload }
  }

  /// What changes in a group.
  public struct GroupChange: Hashable, Sendable {
    /// The group.
    public let id: UUID
    /// What changes in it.
    public let patch: GroupPatch
    /// The group as the user saw it: what the patch names is only changed where it is still so.
    public let shown: TodoGroup?

    /// Makes a change of a group, whatever has become of it since it was shown.
    public init(_ id: UUID, _ patch: GroupPatch) {
      self.id = id
      self.patch = patch
      shown = nil
    }

    /// Makes a change of a group that is refused where somebody else has changed the same.
    public init(_ shown: TodoGroup, _ patch: GroupPatch) {
      id = shown.id
      self.patch = patch
      self.shown = shown
    }
  }

  /// What is put where.
  public struct Move<Subject: Hashable & Sendable>: Hashable, Sendable {
    /// What is put somewhere: an id, or several.
    public let subject: Subject
    /// Where it is put.
    public let position: Position

    /// Makes a move.
    public init(_ subject: Subject, to position: Position) {
      self.subject = subject
      self.position = position
    }
  }
}
