import Croft

extension LoggedCommand {
  /// The command that undo takes back: the newest that stands.
  static var standing: Query<LoggedCommand> {
    LoggedCommand.where { !$0.isUndone }.order(by: \.number.descending).limit(1)
  }

  /// The command that redo does again: the oldest that was taken back.
  static var undone: Query<LoggedCommand> {
    LoggedCommand.where { $0.isUndone }.limit(1)
  }
}
