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
