import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

/// A loaded group screen on a bus of its own, and what its view draws.
struct GroupScreen {
  let repository: any TodoRepository
  private let folder: TemporaryFolder?
  let bus = EventBus()
  let router = Router<GroupRoute>([.home])
  let view: RecordingGroupView
  let controller: GroupController<RecordingGroupView>
  let pictures: Recorder<GroupPicture>

  init(_ kind: RepositoryKind, images: any ImageSource = PlaceholderImages()) throws {
    let (repository, folder) = try kind.make()
    self.init(repository, folder, images: images)
  }

  init(
    _ repository: any TodoRepository, _ folder: TemporaryFolder? = nil,
    images: any ImageSource = PlaceholderImages()
  ) {
    self.repository = repository
    self.folder = folder
    view = RecordingGroupView(GroupModel(repository: repository, images: images))
    controller = GroupController(view: view, router: router, bus: bus)
    pictures = Recorder(view.pictures)
    controller.loadView()
  }

  /// Emits an event and returns the answer that it must have got.
  @discardableResult
  func ask<Input, Value, E: RequestEvent<Input, Value>>(
    _ event: E.Type, _ input: Input, at location: SourceLocation = #_sourceLocation
  ) throws -> Value {
    try #require(bus.result(of: event, input), sourceLocation: location).get()
  }

  /// The error with which an event is answered; nil for none.
  func refusal<Input, Value, E: RequestEvent<Input, Value>>(
    of event: E.Type, _ input: Input, at location: SourceLocation = #_sourceLocation
  ) throws -> PresentableError? {
    do {
      _ = try ask(event, input, at: location)
      return nil
    } catch let error as ExpectationFailedError {
      throw error
    } catch {
      return PresentableError(error)
    }
  }

  /// Waits until the view shows what a test expects.
  func waitForPicture(
    at location: SourceLocation = #_sourceLocation,
    _ isExpected: @escaping @Sendable (GroupPicture) -> Bool
  ) {
    pictures.wait(until: { $0.last.map(isExpected) ?? false }, sourceLocation: location)
  }
}

extension GroupDraft {
  /// A form that is filled.
  static func filled(_ name: String, _ titles: String...) -> GroupDraft {
    GroupDraft(
      name: name, color: RGBA("#102030"),
      image: PlaceholderImages().image(for: .numbered(1)), titles: titles)
  }
}
