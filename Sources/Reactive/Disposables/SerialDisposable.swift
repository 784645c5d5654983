/// Holds one disposable at a time; setting the next disposes the one before.
public final class SerialDisposable: Cancelable {
  private struct State {
    var current: (any Disposable)?
    var isDisposed = false
  }

  private let state = Locked(State())

  /// Makes an empty one.
  public init() {}

  /// Whether it was disposed.
  public var isDisposed: Bool { state.withLock { $0.isDisposed } }

  /// The disposable that it holds; what is set after it was disposed is disposed at once.
  public var disposable: any Disposable {
    get { state.withLock { $0.current } ?? Disposables.create() }
    set {
      let outgoing: (any Disposable)? = state.withLock { state in
        if state.isDisposed { return newValue }
        defer { state.current = newValue }
        return state.current
      }
      outgoing?.dispose()
    }
  }

  /// Disposes what it holds, and whatever is set later.
  public func dispose() {
    let outgoing = state.withLock { state in
      state.isDisposed = true
      defer { state.current = nil }
      return state.current
    }
    outgoing?.dispose()
  }
}
