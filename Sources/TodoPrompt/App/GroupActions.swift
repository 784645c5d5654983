import Presentation
import Reactive
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The changes a command can make to groups: the group screen, open for one command.
///
/// The screen is loaded when it is opened and follows the store from then on, which is why
/// it does not stay open while other commands run.
///
/// Threads: one.
struct GroupActions {
  private let screen: GroupScreen
  private let controller: GroupController<GroupScreen>

  /// Opens the screen on a repository.
  init(repository: any TodoRepository) {
    let bus = EventBus()
    screen = GroupScreen(GroupModel(repository: repository), bus: bus)
    controller = GroupController(view: screen, bus: bus)
    controller.loadView()
  }

  /// Makes a group; returns it with the name it really got.
  func add(_ draft: GroupDraft) throws(CommandError) -> TodoGroup {
    try screen.request(GroupEvents.AddTaskGroup.self, draft)
  }

  /// Changes what a patch names; the group comes with the name it really got.
  func update(_ id: UUID, _ patch: GroupPatch) throws(CommandError) -> GroupEvents.EditedGroup {
    try screen.request(GroupEvents.UpdateTaskGroup.self, GroupEvents.GroupChange(id, patch))
  }

  /// Puts a group at a place among the groups.
  func move(_ id: UUID, to place: Place) throws(CommandError) -> GroupEvents.EditedGroup {
    try screen.request(GroupEvents.MoveTaskGroup.self, GroupEvents.Move(id, to: place))
  }

  /// Asks for the deletion of a group: what goes with it is settled now.
  func requestDeletion(of id: UUID) throws(CommandError) -> PendingDeletion {
    try screen.request(GroupEvents.DeleteTaskGroup.self, id)
  }

  /// Answers the question with yes; exactly what was asked about goes.
  func confirm(_ question: PendingDeletion) throws(CommandError) -> DeletionReport {
    try screen.request(GroupEvents.ConfirmDeletion.self, question.token).report
  }

  /// Answers the question with no.
  func cancel(_ question: PendingDeletion) throws(CommandError) {
    try screen.request(GroupEvents.CancelDeletion.self, question.token)
  }
}
