import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

/// Gives one picture, or fails, or takes for ever.
private enum TestImages: ImageSource {
  case picture(GroupImage)
  case failing(ImageFailure)
  case endless

  func image(for groupID: UUID) async throws -> GroupImage {
    switch self {
    case .picture(let image): return image
    case .failing(let failure): throw TodoError.noImage(failure)
    case .endless:
      // Nothing comes out of it; waiting ends when the task is cancelled.
      let (stream, continuation) = AsyncStream<Never>.makeStream()
      for await _ in stream {}
      withExtendedLifetime(continuation) {}
      throw CancellationError()
    }
  }
}

extension GroupScreen {
  /// What comes of fetching a picture, once something did.
  fileprivate func fetchImage(for group: UUID?) async -> Result<GroupImage, any Error> {
    await withCheckedContinuation { continuation in
      bus.emit(GroupEvents.FetchRandomImage(group) { continuation.resume(returning: $0) })
    }
  }
}

@Suite("GroupController, pictures")
struct GroupControllerImageTests {
  private let picture = GroupImage(bytes: Data([0x89, 0x50]), mimeType: "image/png")

  @Test(arguments: RepositoryKind.allCases)
  func aGroupsPictureIsReplacedOnceItIsThere(kind: RepositoryKind) async throws {
    let screen = try GroupScreen(kind, images: TestImages.picture(picture))
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    #expect(try await screen.fetchImage(for: group.id).get() == picture)
    #expect(try screen.repository.group(group.id)?.image == picture)
    screen.waitForPicture { [picture] in
      !$0.isFetchingImage && $0.groups.value?.first?.group.image == picture
    }
    #expect(screen.pictures.elements.contains { $0.isFetchingImage })
  }

  @Test func aPictureForAFormChangesNoGroup() async throws {
    let screen = try GroupScreen(.plain, images: TestImages.picture(picture))
    try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    let before = try screen.repository.groups()
    #expect(try await screen.fetchImage(for: nil).get() == picture)
    #expect(try screen.repository.groups() == before)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aPictureThatCannotBeHadIsAMessageAndChangesNothing(kind: RepositoryKind) async throws {
    let screen = try GroupScreen(kind, images: TestImages.failing(.timedOut))
    let group = try screen.ask(
      GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일", image: picture))
    let result = await screen.fetchImage(for: group.id)
    #expect(throws: TodoError.self) { try result.get() }
    screen.waitForPicture { $0.error?.code == .noImage && !$0.isFetchingImage }
    #expect(try screen.repository.group(group.id) == group)
  }

  @Test func aPictureForAGroupThatIsGoneIsAnError() async throws {
    let screen = try GroupScreen(.plain, images: TestImages.picture(picture))
    let result = await screen.fetchImage(for: .numbered(9))
    #expect(throws: TodoError.self) { try result.get() }
    #expect(screen.view.picture.error?.code == .groupNotFound)
  }

  @Test func aScreenThatIsLeftGivesItsPictureUp() async throws {
    let model = GroupModel(repository: PlainTodoRepository(), images: TestImages.endless)
    let bus = EventBus()
    let result = await withCheckedContinuation { continuation in
      let controller = GroupController(view: RecordingGroupView(model), bus: bus)
      controller.loadView()
      bus.emit(GroupEvents.FetchRandomImage(nil) { continuation.resume(returning: $0) })
      #expect(model.isFetchingImage)
    }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(!model.isFetchingImage && model.error == nil)
  }
}
