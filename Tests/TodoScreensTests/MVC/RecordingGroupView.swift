import Foundation
import Presentation
import Reactive
import TodoKit
import TodoScreens
import TodoTestSupport

/// What a group screen shows at one time.
struct GroupPicture: Equatable, Sendable {
  var groups = LoadState<[GroupSummary]>.idle
  var shownGroup: ShownGroup?
  var question: PendingDeletion?
  var error: PresentableError?
  var isFetchingImage = false
  var canConfirm = false

  var names: [String]? { groups.value?.map(\.group.name) }
  var openGroup: UUID? { shownGroup?.id }
  var items: LoadState<ItemSections> { shownGroup?.items ?? .idle }
  var titles: [String]? { items.value?.all.map(\.title) }
}

/// A view that keeps what it draws.
final class RecordingGroupView: GroupView {
  private typealias Stroke = @Sendable (inout GroupPicture) -> Void

  let model: GroupModel
  private let store: IntentStore<GroupPicture, Stroke>
  private(set) var built = 0

  init(_ model: GroupModel) {
    self.model = model
    store = IntentStore(GroupPicture()) { picture, stroke in
      stroke(&picture)
      return .none
    }
  }

  /// What is shown now.
  var picture: GroupPicture { store.state }
  /// What is shown now and after each stroke.
  var pictures: Observable<GroupPicture> { store.states }

  func initializeUI() {
    built += 1
    subscribeToModel()
  }

  func draw(groups: LoadState<[GroupSummary]>) { store.send { $0.groups = groups } }
  func draw(shownGroup: ShownGroup?) { store.send { $0.shownGroup = shownGroup } }
  func draw(question: PendingDeletion?) { store.send { $0.question = question } }
  func draw(error: PresentableError?) { store.send { $0.error = error } }
  func draw(isFetchingImage: Bool) { store.send { $0.isFetchingImage = isFetchingImage } }
  func draw(canConfirm: Bool) { store.send { $0.canConfirm = canConfirm } }
}
