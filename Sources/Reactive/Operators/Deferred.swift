extension ObservableType {
  /// Makes the observable anew for every subscription.
  ///
  /// - Parameter observableFactory: called when somebody subscribes; what it throws is sent.
  @preconcurrency
  public static func deferred(
    _ observableFactory: @escaping @Sendable () throws -> Observable<Element>
  ) -> Observable<Element> {
    Producer { down in
      do { try observableFactory().run(down) } catch { down.done(error) }
    }
  }
}
