public import Reactive
import Synchronization

/// The screens that are open, as a stack of values.
///
/// The stack is data, so a terminal, a web page and a window system can all show it, and a test can
/// read it:
///
/// ```swift
/// let router = Router<Place>([.home])
/// router.push(.group(id))
/// router.stack        // [.home, .group(id)]
/// router.pop()
/// ```
///
/// Threads: any; steps are performed in the order of their calls.
public final class Router<Route: Hashable & Sendable>: Sendable {
  /// Identifies a screen that is open, or was.
  typealias ScreenID = UInt64

  private struct Screen: Equatable, Sendable {
    let route: Route
    /// The screens that were under it when it was opened, the outermost first, and itself.
    let path: [ScreenID]
  }

  private typealias Step = @Sendable (inout [Screen]) -> Void
  private let store: IntentStore<[Screen], Step>
  private let lastID = Atomic<ScreenID>(0)

  /// Makes a router with its first screens.
  ///
  /// - Parameter stack: The screens that are open, the innermost last.
  public init(_ stack: [Route] = []) {
    store = IntentStore([]) { stack, step in
      step(&stack)
      return .none
    }
    replace(with: stack)
  }

  /// The screens that are open, the innermost last.
  public var stack: [Route] { store.state.map(\.route) }

  /// The screens now, and then after each step that changed them.
  public var stacks: Observable<[Route]> {
    store.states.map { $0.map(\.route) }.distinctUntilChanged()
  }

  /// Opens a screen on top of those that are open.
  public func push(_ route: Route) { open(route) }

  /// Closes the innermost screen; does nothing with one screen or none.
  public func pop() { store.send { if $0.count > 1 { $0.removeLast() } } }

  /// Closes screens down to a number of them; does nothing if no more are open.
  public func pop(toDepth depth: Int) {
    precondition(depth >= 0, "depth counts screens: 0 or more.")
    store.send { if $0.count > depth { $0.removeLast($0.count - depth) } }
  }

  /// Closes the screens that satisfy a condition, anywhere in the stack.
  public func close(where isClosed: @escaping @Sendable (Route) -> Bool) {
    store.send { $0.removeAll { isClosed($0.route) } }
  }

  /// Closes everything and opens these screens, the innermost last.
  ///
  /// Screens at the beginning of the stack that are already open stay open.
  public func replace(with routes: [Route]) {
    let screens = routes.map { ($0, nextID()) }
    store.send { stack in
      let kept = zip(stack, screens).prefix { $0.route == $1.0 }.count
      stack.removeLast(stack.count - kept)
      for (route, id) in screens.dropFirst(kept) { Self.open(route, id, on: &stack) }
    }
  }

  /// Opens a screen on top of those that are open, and returns its name.
  @discardableResult
  func open(_ route: Route) -> ScreenID {
    let id = nextID()
    store.send { Self.open(route, id, on: &$0) }
    return id
  }

  /// The name of the innermost screen; nil where none is open.
  var innermost: ScreenID? { store.state.last?.path.last }

  /// Closes a screen and everything that was opened on top of it, also when it was closed itself.
  func close(from id: ScreenID) {
    store.send { $0.removeAll { $0.path.contains(id) } }
  }

  private static func open(_ route: Route, _ id: ScreenID, on stack: inout [Screen]) {
    stack.append(Screen(route: route, path: (stack.last?.path ?? []) + [id]))
  }

  private func nextID() -> ScreenID { lastID.add(1, ordering: .relaxed).newValue }
}
