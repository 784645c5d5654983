public import CroftFoundation
public import TodoKit

/// Something that a user does on the screen of one list.
///
/// An intent is a plain value, which may come from another process. Its stored changes are a
/// ``/TodoKit/TodoCommand``, which the history keeps.
public enum ListIntent: Hashable, Codable, Sendable {
  /// Reads the list once more, after it could not be read.
  case reload
  /// Marks an item done that is shown as open, or open that is shown as done.
  case toggleDone(id: UUID)
  /// Gives an item a star that is shown without one, or removes the star.
  case toggleImportant(id: UUID)
  /// Gives an item a priority; nil where nothing was chosen.
  case setPriority(id: UUID, priority: Priority?)
  /// Makes an item at the end of the list.
  case createTask(title: String)
  /// Gives an item another title.
  case retitleTask(id: UUID, title: String)
  /// Gives the list's group another name.
  case renameGroup(name: String)
  /// Opens the sheet on which something is typed.
  case openSheet(mode: ListSheet.Mode)
  /// Reports the text of the sheet's field.
  case type(text: String)
  /// Does what the sheet is for; it closes when that is done.
  case save
  /// Closes the sheet; nothing is done.
  case closeSheet
  /// Asks the user whether to delete items.
  case askToDelete(items: [UUID])
  /// Asks for the deletion of the list's group with its items.
  case askToDeleteGroup
  /// Answers the question before a deletion, which the token names.
  case answer(token: UUID, isYes: Bool)
  /// Notes that the user has seen the error.
  case dismissError
}
