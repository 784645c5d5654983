public import CroftFoundation
public import TodoKit

extension GroupEvents {
  /// Opens the screen on which a group is made.
  public final class PushToNewTaskScreen: ScreenEvent<Void> {}

  /// Opens the screen on which a group is changed; the payload is the group's id.
  public final class PushToEditTaskGroupScreen: ScreenEvent<UUID> {}

  /// Opens the screen that shows a group's items; the payload is the group's id.
  public final class PushToDetailTaskScreen: ScreenEvent<UUID> {}

  /// Opens the choice of a colour; the payload is the one that is chosen until now.
  public final class PresentColorPicker: ScreenEvent<RGBA> {}

  /// Closes the innermost screen.
  public final class PopScreen: ScreenEvent<Void> {}

  /// Reports the text of a dialog's field, untrimmed; an empty one cannot be confirmed.
  ///
  /// It is emitted when the dialog opens, and whenever its text changes.
  public final class EnterText: ScreenEvent<String> {}

  /// Loads the screens again, after loading failed.
  public final class Reload: ScreenEvent<Void> {}

  /// Notes that the user has seen the error.
  public final class DismissError: ScreenEvent<Void> {}
}
