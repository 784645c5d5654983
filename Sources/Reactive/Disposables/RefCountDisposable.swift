/// Disposes another disposable when it and all of its retained handles were disposed.
///
/// After that, retaining has no effect.
public final class RefCountDisposable: Cancelable {
  private struct State {
    var disposable: (any Disposable)?
    var retained = 0
    /// Whether it was disposed itself, and waits for the retained handles.
    var isAbandoned = false

    /// Removes and returns the disposable when nothing keeps it.
    mutating func takeIfUnwanted() -> (any Disposable)? {
      guard isAbandoned, retained == 0 else { return nil }
      defer { disposable = nil }
      return disposable
    }
  }

  private let state: Locked<State>

  /// Makes one that is not retained.
  public init(disposable: any Disposable) {
    state = Locked(State(disposable: disposable))
  }

  /// Whether the other one was disposed.
  public var isDisposed: Bool { state.withLock { $0.disposable == nil } }

  /// Keeps the other disposable from being disposed until the result is.
  public func retain() -> any Disposable {
    let isKept = state.withLock { state in
      guard state.disposable != nil else { return false }
      state.retained += 1
      return true
    }
    return isKept ? Disposables.create { self.release() } : Disposables.create()
  }

  /// Disposes the other disposable, once no retained handle is left.
  public func dispose() {
    let outgoing = state.withLock { state in
      state.isAbandoned = true
      return state.takeIfUnwanted()
    }
    outgoing?.dispose()
  }

  private func release() {
    let outgoing = state.withLock { state in
      state.retained -= 1
      return state.takeIfUnwanted()
    }
    outgoing?.dispose()
  }
}
