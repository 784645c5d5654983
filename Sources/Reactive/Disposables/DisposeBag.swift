/// Disposes its disposables when it is deallocated, in the order of insertion.
///
/// ```swift
/// final class Screen {
///   let bag = DisposeBag()
///   func show() { titles.subscribe(onNext: { draw($0) }).disposed(by: bag) }
/// }
/// ```
///
/// Threads: any thread may insert. Disposal happens on the thread that releases the bag.
public final class DisposeBag: Sendable {
  private let handles = CompositeHandle()

  /// Makes an empty bag.
  public init() {}

  /// Makes a bag of some disposables.
  public convenience init(disposing disposables: any Disposable...) {
    self.init()
    insert(disposables)
  }

  deinit { handles.dispose() }

  /// Inserts a disposable.
  public func insert(_ disposable: any Disposable) { handles.insert(disposable) }

  /// Inserts disposables.
  public func insert(_ disposables: any Disposable...) { insert(disposables) }

  /// Inserts disposables.
  public func insert(_ disposables: [any Disposable]) {
    for disposable in disposables { handles.insert(disposable) }
  }

  /// Collects the disposables of a block.
  @resultBuilder
  public enum DisposableBuilder {
    /// All of them.
    public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
      disposables
    }
  }

  /// Makes a bag of the disposables of a block.
  ///
  /// ```swift
  /// let bag = DisposeBag {
  ///   titles.subscribe(onNext: { show($0) })
  ///   errors.subscribe(onNext: { report($0) })
  /// }
  /// ```
  public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
    self.init()
    insert(builder())
  }

  /// Inserts the disposables of a block.
  public func insert(@DisposableBuilder builder: () -> [any Disposable]) {
    insert(builder())
  }
}
