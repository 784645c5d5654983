public import Presentation
import Reactive
public import TodoKit

/// A view of the group screens, for any user interface: it draws the model and emits events.
///
/// ```swift
/// final class TextView: GroupView {
///   let model: GroupModel
///   init(_ model: GroupModel) { self.model = model }
///   func initializeUI() { subscribeToModel() }
///   func draw(groups: LoadState<[GroupSummary]>) { print(groups) }
/// }
/// ```
///
/// A view implements the methods of the parts that it draws. The others have empty defaults.
///
/// Threads: `draw` is called on those that change the model; ``GroupModel`` says which.
public protocol GroupView: RootView {
  /// What the view shows.
  var model: GroupModel { get }

  /// Draws all groups with their progress, or the state of loading them, or the error of that.
  func draw(groups: LoadState<[GroupSummary]>)
  /// Draws the items of the group whose screen is open; nil while none is.
  func draw(shownGroup: ShownGroup?)
  /// Asks the user whether to delete; nil removes the question.
  func draw(question: PendingDeletion?)
  /// Shows one error, in place of the one before; nil removes it.
  func draw(error: PresentableError?)
  /// Says whether a picture is being fetched.
  func draw(isFetchingImage: Bool)
  /// Lets the user confirm what was typed, or not.
  func draw(canConfirm: Bool)
}

extension GroupView {
  /// Draws the current values of the model, and then each change; call it in `initializeUI`.
  ///
  /// The result is the same whether the model was loaded before or is loaded later.
  public func subscribeToModel() {
    draw(model.$groups) { $0.draw(groups: $1) }
    draw(model.$shownGroup) { $0.draw(shownGroup: $1) }
    draw(model.$question) { $0.draw(question: $1) }
    draw(model.$error) { $0.draw(error: $1) }
    draw(model.$isFetchingImage) { $0.draw(isFetchingImage: $1) }
    draw(model.$canConfirm) { $0.draw(canConfirm: $1) }
  }

  private func draw<Value>(
    _ property: Publishable<Value>, with draw: @escaping @Sendable (Self, Value) -> Void
  ) {
    property.subscribe(by: self, immediate: true) { (view, changes) in draw(view, changes.new) }
  }

  /// Draws nothing.
  public func draw(groups: LoadState<[GroupSummary]>) {}
  /// Draws nothing.
  public func draw(shownGroup: ShownGroup?) {}
  /// Draws nothing.
  public func draw(question: PendingDeletion?) {}
  /// Draws nothing.
  public func draw(error: PresentableError?) {}
  /// Draws nothing.
  public func draw(isFetchingImage: Bool) {}
  /// Draws nothing.
  public func draw(canConfirm: Bool) {}
}
