/// Holds one disposable at a time; setting another disposes the previous one.
public final class SerialDisposable: Cancelable, StoppableDisposable {
  private struct State {
    var current: (any Disposable)?
    var isStopped = false
    var isDisposed = false
  }

  private let state = Locked(State())

  /// Makes an empty one.
  public init() {}

  /// Whether it was disposed.
  public var isDisposed: Bool { state.withLock { $0.isStopped || $0.isDisposed } }

  /// The disposable that it holds; one that is set after the disposal is disposed at once.
  public var disposable: any Disposable {
    get { state.withLock { $0.current } ?? Disposables.create() }
    set {
      let (outgoing, isStopped): ((any Disposable)?, Bool) = state.withLock { state in
        if state.isDisposed { return (newValue, false) }
        defer { state.current = newValue }
        return (state.current, state.isStopped)
      }
      if isStopped { newValue.stopIfPossible() }
      outgoing?.dispose()
    }
  }

  /// Disposes the disposable that it holds, and those that are set later.
  public func dispose() {
    let outgoing = state.withLock { state in
      state.isDisposed = true
      defer { state.current = nil }
      return state.current
    }
    outgoing?.dispose()
  }

  func stop() {
    let current = state.withLock { state in
      state.isStopped = true
      return state.current
    }
    current?.stopIfPossible()
  }
}
