/// Disposes another one when it and everybody who retained it were disposed.
///
/// Once that happened, retaining has no effect any more.
public final class RefCountDisposable: Cancelable {
  private struct State {
    var disposable: (any Disposable)?
    var retained = 0
    /// Whether nobody is left but those who retained it.
    var isAbandoned = false

    /// Takes the disposable out when nobody wants it any more.
    mutating func takeIfUnwanted() -> (any Disposable)? {
      guard isAbandoned, retained == 0 else { return nil }
      defer { disposable = nil }
      return disposable
    }
  }

  private let state: Locked<State>

  /// Makes one that nobody retained.
  public init(disposable: any Disposable) {
    state = Locked(State(disposable: disposable))
  }

  /// Whether the other one was disposed.
  public var isDisposed: Bool { state.withLock { $0.disposable == nil } }

  /// Keeps the other one from being disposed until the result is.
  public func retain() -> any Disposable {
    let isKept = state.withLock { state in
      guard state.disposable != nil else { return false }
      state.retained += 1
      return true
    }
    return isKept ? Disposables.create { self.release() } : Disposables.create()
  }

  /// Disposes the other one, unless somebody retained this.
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
