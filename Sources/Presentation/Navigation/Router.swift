public import Reactive

/// Where the user is: the screens that are open, as values.
///
/// What is open is data, so a terminal, a web page and a window system can all
/// show it, and a test can read it:
///
/// ```swift
/// let router = Router<Place>([.home])
/// router.push(.group(id))
/// router.stack        // [.home, .group(id)]
/// router.pop()
/// ```
///
/// Threads: any; steps are taken in the order in which they are asked for.
public final class Router<Route: Hashable & Sendable>: Sendable {
  private typealias Step = @Sendable (inout [Route]) -> Void
  private let store: IntentStore<[Route], Step>

  /// Makes a router at a place.
  ///
  /// - Parameter stack: The screens that are open, the innermost last.
  public init(_ stack: [Route] = []) {
    store = IntentStore(stack) { stack, step in
      step(&stack)
      return .none
    }
  }

  /// The screens that are open, the innermost last.
  public var stack: [Route] { store.state }

  /// The screens now, and then after each step that changed them.
  public var stacks: Observable<[Route]> { store.states.distinctUntilChanged() }

  /// Opens a screen on top of those that are open.
  public func push(_ route: Route) { store.send { $0.append(route) } }

  /// Closes the innermost screen; harmless where only one is left, or none.
  public func pop() { store.send { if $0.count > 1 { $0.removeLast() } } }

  /// Closes screens until only so many are left; harmless when there are no more.
  public func pop(toDepth depth: Int) {
    precondition(depth >= 0, "depth counts screens: 0 or more.")
    store.send { if $0.count > depth { $0.removeLast($0.count - depth) } }
  }

  /// Closes the screens for which something holds, wherever they stand among the others.
  public func close(where isClosed: @escaping @Sendable (Route) -> Bool) {
    store.send { $0.removeAll(where: isClosed) }
  }

  /// Closes everything and opens these screens, the innermost last.
  public func replace(with routes: [Route]) { store.send { $0 = routes } }
}
