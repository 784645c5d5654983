import Foundation
import Presentation
import Reactive
import TodoKit
import TodoScreens

/// The group screens for one request: a controller, its bus, and a view that draws nothing.
///
/// The page of a list shows what was committed, so the answer of an event is all that is needed.
final class GroupScreen {
  private final class AnswerView: GroupView {
    let model: GroupModel

    init(_ model: GroupModel) { self.model = model }

    func initializeUI() {}
  }

  private let bus = EventBus()
  private let controller: GroupController<AnswerView>

  init(_ site: Site) {
    let model = GroupModel(repository: site.repository, images: site.images)
    controller = GroupController(view: AnswerView(model), bus: bus)
    controller.loadView()
  }

  /// Makes a group of a filled form.
  func create(_ draft: GroupDraft) throws -> TodoGroup {
    try answer(bus.result(of: GroupEvents.CreateTaskGroup.self, draft))
  }

  /// Changes a group as it was shown.
  func update(_ shown: TodoGroup, _ patch: GroupPatch) throws -> CommandResult {
    try answer(bus.result(of: GroupEvents.UpdateTaskGroup.self, .init(shown, patch)))
  }

  /// Fetches a picture for a form.
  func fetchImage() async throws -> GroupImage {
    try await withCheckedThrowingContinuation { continuation in
      bus.emit(GroupEvents.FetchRandomImage(nil) { continuation.resume(with: $0) })
    }
  }

  private func answer<Value>(_ result: Result<Value, any Error>?) throws -> Value {
    // A controller that listens answers before the event has been emitted.
    guard let result else { throw CancellationError() }
    return try result.get()
  }
}
