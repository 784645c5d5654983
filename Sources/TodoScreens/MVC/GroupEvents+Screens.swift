public import CroftFoundation
public import Reactive
public import TodoKit

extension GroupEvents {
  /// Opens the screen on which a group is made.
  public struct PushToNewTaskScreen: EventProtocol {
    /// The event has no payload.
    public let payload: Void = ()

    /// Makes the event.
    public init() {}
  }

  /// Opens the screen on which a group is changed.
  public struct PushToEditTaskGroupScreen: EventProtocol {
    /// The group's id.
    public let payload: UUID

    /// Makes the event for a group.
    public init(_ id: UUID) { payload = id }
  }

  /// Opens the screen that shows a group's items.
  public struct PushToDetailTaskScreen: EventProtocol {
    /// The group's id.
    public let payload: UUID

    /// Makes the event for a group.
    public init(_ id: UUID) { payload = id }
  }

  /// Opens the choice of a colour.
  public struct PresentColorPicker: EventProtocol {
    /// The colour that is chosen until now.
    public let payload: RGBA

    /// Makes the event for a colour.
    public init(_ color: RGBA) { payload = color }
  }

  /// Closes the innermost screen.
  public struct PopScreen: EventProtocol {
    /// The event has no payload.
    public let payload: Void = ()

    /// Makes the event.
    public init() {}
  }

  /// Reports the text of a dialog's field; an empty one cannot be confirmed.
  ///
  /// It is emitted when the dialog opens, and whenever its text changes.
  public struct EnterText: EventProtocol {
    /// The text, untrimmed.
    public let payload: String

    /// Makes the event for a text.
    public init(_ text: String) { payload = text }
  }

  /// Loads the screens again, after loading failed.
  public struct Reload: EventProtocol {
    /// The event has no payload.
    public let payload: Void = ()

    /// Makes the event.
    public init() {}
  }

  /// Notes that the user has seen the error.
  public struct DismissError: EventProtocol {
    /// The event has no payload.
    public let payload: Void = ()

    /// Makes the event.
    public init() {}
  }
}
