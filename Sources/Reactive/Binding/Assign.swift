extension ObservableType where Element: Sendable {
  /// Assigns every element to a property of an object on the main actor.
  ///
  /// The object is held weakly. Elements from the main queue are assigned at once, others later,
  /// on the main queue. An error is a programming mistake, as with `bind(to:)`.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - object: an object of the main actor.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
  @MainActor
  public func assign<Object: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Object, Element>, on object: Object,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    asObservable().observe(on: MainScheduler())
      .bind(to: Binder(object, assigning: keyPath, fileID: fileID, line: line))
  }

  /// Assigns every element to an optional property of an object on the main actor.
  @MainActor
  public func assign<Object: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Object, Element?>, on object: Object,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    asObservable().map(Optional.some)
      .assign(to: keyPath, on: object, fileID: fileID, line: line)
  }
}
