/// Controls one flow of screens, and starts child coordinators for parts of it.
///
/// A coordinator decides which screen follows which; screens only report what happened. It opens
/// screens by pushing routes. A part of the flow is a child, which its parent retains until it
/// finishes:
///
/// ```swift
/// final class HomeCoordinator: Coordinator<Place> {
///   func addTapped() { startChild(AddCoordinator(router: router), with: .add) }
/// }
/// ```
///
/// Parents retain children, and children have weak references to their parents. So a finished
/// child is deallocated when nothing else retains it. Screens have weak references to coordinators.
///
/// Threads: one, that of the screens.
open class Coordinator<Route: Hashable & Sendable> {
  /// Where the coordinator opens and closes screens.
  public let router: Router<Route>
  /// The coordinators of the parts that have been started, in their order.
  public private(set) final var childCoordinators: [Coordinator] = []
  /// The coordinator that started this one; nil for the first one and after the end.
  public private(set) final weak var parentCoordinator: Coordinator?
  /// The first screen of the flow, which may have been closed; nil while the flow is not running.
  private var firstScreen: Router<Route>.ScreenID?

  /// Whether the flow's first screen is the innermost one that is open.
  public final var isOnFirstScreen: Bool {
    firstScreen.map { $0 == router.innermost } ?? false
  }

  /// Makes a coordinator that has not been started.
  public init(router: Router<Route>) {
    self.router = router
  }

  /// Opens the first screen of the flow.
  ///
  /// An override has to call it.
  open func start(with route: Route) {
    firstScreen = router.open(route)
  }

  /// Adds a child and starts it.
  ///
  /// - Precondition: The child has no parent, and is not this coordinator.
  public final func startChild(_ child: Coordinator, with route: Route) {
    precondition(
      child !== self && child.parentCoordinator == nil,
      "A coordinator has one parent at a time: make a new one, or finish it first.")
    child.parentCoordinator = self
    childCoordinators.append(child)
    child.start(with: route)
  }

  /// Ends the flow, its children first, and leaves the parent; does nothing after the end.
  ///
  /// - Parameter shouldPop: Whether the flow's first screen is closed, if it is still open, and all
  ///   screens on top of it.
  public final func finish(shouldPop: Bool = true) {
    for child in childCoordinators.reversed() { child.finish(shouldPop: false) }
    if shouldPop, let firstScreen { router.close(from: firstScreen) }
    firstScreen = nil
    let parent = parentCoordinator
    parentCoordinator = nil
    parent?.childCoordinators.removeAll { $0 === self }
    parent?.childDidFinish(self)
  }

  /// Called when a child has finished and was removed.
  open func childDidFinish(_ child: Coordinator) {}
}
