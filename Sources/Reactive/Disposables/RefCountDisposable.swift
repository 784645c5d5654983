/// Disposes another disposable once this one and all handles from ``retain()`` are disposed.
///
/// After that, ``retain()`` has no effect.
public final class RefCountDisposable: Cancelable, StoppableDisposable {
  private let counted: CountedDisposable
  private let own: CountedHandle

  /// Wraps another disposable, without any retained handle.
  public init(disposable: any Disposable) {
    counted = CountedDisposable(disposable)
    own = CountedHandle(counted)
  }

  /// Whether the other disposable was disposed.
  public var isDisposed: Bool { counted.isDisposed }

  /// Returns a handle; the other disposable is not disposed before the handle is.
  public func retain() -> any Disposable {
    counted.retain() ? CountedHandle(counted) : Disposables.create()
  }

  /// Disposes the other disposable, once no retained handle is left.
  public func dispose() { own.dispose() }

  func stop() { own.stop() }
}

/// A disposable, and how many handles keep it from being stopped and disposed.
private final class CountedDisposable: Sendable {
  private struct State {
    var disposable: (any Disposable)?
    /// The handles that were not disposed.
    var handles = 1
    /// The handles that were neither stopped nor disposed.
    var running = 1
  }

  private let state: Locked<State>

  init(_ disposable: any Disposable) {
    state = Locked(State(disposable: disposable))
  }

  /// Whether every handle was stopped or disposed.
  var isDisposed: Bool { state.withLock { $0.running == 0 } }

  /// Counts one more handle; false when none is left that runs.
  func retain() -> Bool {
    state.withLock { state in
      guard state.running > 0 else { return false }
      state.handles += 1
      state.running += 1
      return true
    }
  }

  /// Stops or disposes a handle; the last one stops or disposes the disposable.
  func advance(_ handle: CountedHandle, to phase: CountedHandle.Phase) {
    let (outgoing, isLast) = state.withLock { state -> ((any Disposable)?, Bool) in
      if handle.phase.rawValue >= phase.rawValue { return (nil, false) }
      if handle.phase == .running { state.running -= 1 }
      if phase == .disposed { state.handles -= 1 }
      handle.phase = phase
      let isLast = state.handles == 0
      defer { if isLast { state.disposable = nil } }
      return (state.running == 0 ? state.disposable : nil, isLast)
    }
    if isLast { outgoing?.dispose() } else { outgoing?.stopIfPossible() }
  }
}

/// One of the handles that keep a counted disposable.
private final class CountedHandle: StoppableDisposable, @unchecked Sendable {
  // Unchecked: the phase is reached under the lock of what is counted only.
  enum Phase: Int { case running, stopped, disposed }

  var phase = Phase.running
  private let counted: CountedDisposable

  init(_ counted: CountedDisposable) {
    self.counted = counted
  }

  func stop() { counted.advance(self, to: .stopped) }

  func dispose() { counted.advance(self, to: .disposed) }
}
