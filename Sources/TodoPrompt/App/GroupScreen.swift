import Presentation
import Reactive
import TodoKit

/// The group screen of the prompt: text, which shows what a command asks for and nothing else.
///
/// It emits the events of the group screens on a bus of its own. Their answers are what is
/// printed, so it draws nothing by itself.
///
/// Threads: one.
final class GroupScreen: GroupView {
  let model: GroupModel
  private let bus: EventBus

  init(_ model: GroupModel, bus: EventBus) {
    self.model = model
    self.bus = bus
  }

  func initializeUI() {}

  /// Emits an event and gives the answer of whoever listens.
  func request<E: RequestEvent, Input, Value>(
    _ event: E.Type, _ input: Input
  ) throws(CommandError) -> Value where E.Payload == RequestPayload<Input, Value> {
    guard let result = bus.result(of: event, input) else {
      preconditionFailure("A controller must be loaded before its view emits events.")
    }
    switch result {
    case .success(let answer): return answer
    case .failure(let issue as ValidationIssue): throw CommandError(issue)
    case .failure(let error): throw CommandError(storage: error)
    }
  }
}
