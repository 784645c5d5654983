/// Elements on their way from an observable to a task.
///
/// Whoever sends never waits. A task is resumed, elements are released and the hook is called
/// under no lock: a task that is resumed may run at once, on the very thread that resumed it.
final class ValuesChannel<Element: Sendable>: Sendable {
  typealias Step = Result<Element?, any Error>
  typealias Waiter = CheckedContinuation<Step, Never>

  private struct State: ~Copyable {
    var waiting = Queue<Element>()
    var count = 0
    var waiter: Waiter?
    /// How it ended, to be told after what waits; told once.
    var ending: Step?
    var isOver = false
  }

  private let state = Locked(State())
  private let buffering: ValuesBuffering
  private let onOverflow: (@Sendable (Element) -> Void)?

  init(_ buffering: ValuesBuffering, _ onOverflow: (@Sendable (Element) -> Void)?) {
    self.buffering = buffering
    self.onOverflow = onOverflow
  }

  /// Hands an element to the task that waits, or keeps it.
  func send(_ element: Element) {
    var waiter: Waiter?
    let dropped: Element? = state.withLock { state in
      if state.isOver { return nil }
      if let first = state.waiter {
        state.waiter = nil
        waiter = first
        return nil
      }
      return keep(element, &state)
    }
    waiter?.resume(returning: .success(element))
    if let dropped { onOverflow?(dropped) }
  }

  /// Ends it; the first end counts.
  ///
  /// - Parameter dropsBuffer: whether what waits is lost.
  func finish(_ ending: Step, dropsBuffer: Bool = false) {
    var lost = Queue<Element>()
    let waiter: Waiter? = state.withLock { state in
      if dropsBuffer {
        swap(&lost, &state.waiting)
        state.count = 0
      }
      if state.isOver { return nil }
      state.isOver = true
      guard let waiter = state.waiter else {
        state.ending = ending
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: ending)
  }

  /// Takes what waits, the end, or what comes next.
  func take(_ waiter: Waiter) {
    let step: Step? = state.withLock { state in
      if let element = state.waiting.popFirst() {
        state.count -= 1
        return .success(element)
      }
      if state.isOver {
        defer { state.ending = nil }
        return state.ending ?? .success(nil)
      }
      precondition(
        state.waiter == nil, "An iterator belongs to one task: make one for each of them.")
      state.waiter = waiter
      return nil
    }
    if let step { waiter.resume(returning: step) }
  }

  /// Keeps an element as the policy says, and returns the one that is dropped for it.
  private func keep(_ element: Element, _ state: inout State) -> Element? {
    switch buffering {
    case .bufferingOldest(let limit) where state.count >= limit: return element
    case .bufferingNewest(0): return element
    case .bufferingNewest(let limit) where state.count >= limit:
      state.waiting.append(element)
      return state.waiting.popFirst()
    default:
      state.waiting.append(element)
      state.count += 1
      return nil
    }
  }
}
