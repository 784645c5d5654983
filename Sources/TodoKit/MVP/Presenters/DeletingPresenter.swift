import Presentation
import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A presenter that asks before it deletes; one question stands at a time.
///
/// What a yes deletes is settled when the question is asked.
public class DeletingPresenter<View>: TodoPresenter<View> {
  private let deletions: PendingDeletions
  private let question = BehaviorRelay<PendingDeletion?>(value: nil)

  override init(_ route: TodoRoute, _ coordinator: TodoCoordinator) {
    deletions = PendingDeletions(repository: coordinator.repository)
    super.init(route, coordinator)
  }

  /// The user has answered a question; one that does not stand any more is not answered again.
  public final func answer(_ token: UUID, isYes: Bool) {
    guard question.value?.token == token else { return }
    question.accept(nil)
    if isYes { errors.track { try deletions.confirm(token) } } else { deletions.cancel(token) }
  }

  /// Asks a question in place of the one that stands.
  final func ask(_ request: (PendingDeletions) throws -> PendingDeletion) {
    guard let next = errors.track({ try request(deletions) }) else { return }
    if let last = question.value { deletions.cancel(last.token) }
    question.accept(next)
  }

  /// Has the view show the question there is, now and whenever that changes.
  final func showQuestions(_ show: @escaping @Sendable (View, PendingDeletion?) -> Void) {
    self.show(question.distinctUntilChanged(), show)
  }
}
