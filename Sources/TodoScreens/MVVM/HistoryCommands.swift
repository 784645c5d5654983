public import Presentation
import Reactive
public import TodoKit

/// Undo and redo as buttons: enabled while there is a command to undo, or to redo.
///
/// Values are the commands that were undone or redone. The history is the repository's: commands
/// of other screens and of other programs are undone too.
///
/// Threads: any. Values are delivered before `execute` returns, unless another thread is delivering
/// the history at that time: then that thread delivers them.
public struct HistoryCommands: Sendable {
  /// Undoes the last command.
  public let undo: Command<Void, CommandResult>
  /// Redoes the command that was undone last.
  public let redo: Command<Void, CommandResult>

  /// Makes the commands of a repository.
  public init(repository: any TodoRepository) {
    undo = Command(isEnabled: Self.isEnabled(in: repository) { $0.undo != nil }) {
      .deferred { .just(try repository.perform(.undo)) }
    }
    redo = Command(isEnabled: Self.isEnabled(in: repository) { $0.redo != nil }) {
      .deferred { .just(try repository.perform(.redo)) }
    }
  }

  private static func isEnabled(
    in repository: any TodoRepository, _ holds: @escaping @Sendable (CommandHistory) -> Bool
  ) -> Observable<Bool> {
    // Where the history cannot be read, the command may be tried, and says why it fails.
    repository.observeHistory().map(holds).catch { _ in .just(true) }
  }
}
