/// Disposes what was put into it when it goes away, in the order of insertion.
///
///     final class Screen {
///       let bag = DisposeBag()
///       func show() { titles.subscribe(onNext: { draw($0) }).disposed(by: bag) }
///     }
///
/// Threads: any thread may insert. Disposal happens on the thread that releases the bag.
public final class DisposeBag: Sendable {
  private let handles = CompositeHandle()

  /// Makes an empty bag.
  public init() {}

  /// Makes a bag of these.
  public convenience init(disposing disposables: any Disposable...) {
    self.init()
    insert(disposables)
  }

  deinit { handles.dispose() }

  /// Puts a disposable into the bag.
  public func insert(_ disposable: any Disposable) { handles.insert(disposable) }

  /// Puts disposables into the bag.
  public func insert(_ disposables: any Disposable...) { insert(disposables) }

  /// Puts disposables into the bag.
  public func insert(_ disposables: [any Disposable]) {
    for disposable in disposables { handles.insert(disposable) }
  }
}

extension DisposeBag {
  /// Collects disposables that are written one below the other.
  @resultBuilder
  public enum DisposableBuilder {
    /// All of them.
    public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
      disposables
    }
  }

  /// Makes a bag of what is written one below the other.
  ///
  ///     let bag = DisposeBag {
  ///       titles.subscribe(onNext: { show($0) })
  ///       errors.subscribe(onNext: { report($0) })
  ///     }
  public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
    self.init()
    insert(builder())
  }

  /// Puts what is written one below the other into the bag.
  public func insert(@DisposableBuilder builder: () -> [any Disposable]) {
    insert(builder())
  }
}
