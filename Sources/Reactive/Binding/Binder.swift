/// Assigns elements to an object that is held weakly; sequences that do not fail are bound to it.
///
/// ```swift
/// extension Rx where Base: Label {
///   var isMuted: Binder<Bool> { Binder(base) { label, isMuted in label.mute(isMuted) } }
/// }
/// isDone.bind(to: label.rx.isMuted).disposed(by: bag)
/// ```
///
/// A completion is ignored, and so is everything once the object was deallocated. An error is a
/// programming mistake: it traps in debug builds, and is passed to ``Hooks/defaultErrorHandler`` in
/// others.
///
/// Threads: elements may come from any thread; the closure runs on the main actor, or on the
/// scheduler that the binder was made with. A binder of an object that is not `Sendable` is made on
/// the main actor.
public struct Binder<Value: Sendable>: ObserverType, Sendable {
  /// The type of the elements.
  public typealias Element = Value

  private let assign: @Sendable (Value) -> Void
  private let site: Hooks.CallSite

  /// Makes a binder of an object of the main actor, whose closure runs there.
  ///
  /// It is made on any thread, because the object is `Sendable`, as every main actor class is.
  ///
  /// - Parameters:
  ///   - target: passed to the closure; held weakly.
  ///   - binding: called with each element, at once when it comes from the main queue.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  public init<Target: AnyObject & Sendable>(
    _ target: Target, fileID: StaticString = #fileID, line: UInt = #line,
    binding: @escaping @MainActor @Sendable (Target, Value) -> Void
  ) {
    self.init(BinderTarget(target), Hooks.CallSite(fileID: fileID, line: line), binding)
  }

  /// Makes a binder of an object that is not `Sendable`, whose closure runs on the main actor.
  ///
  /// It is made there too, so that no other thread has the object.
  @MainActor
  public init<Target: AnyObject>(
    _ target: Target, fileID: StaticString = #fileID, line: UInt = #line,
    binding: @escaping @MainActor @Sendable (Target, Value) -> Void
  ) {
    self.init(BinderTarget(target), Hooks.CallSite(fileID: fileID, line: line), binding)
  }

  /// Makes a binder whose closure runs on a scheduler.
  ///
  /// - Parameters:
  ///   - target: passed to the closure; held weakly.
  ///   - scheduler: runs the closure. A serial one keeps the order of the elements.
  ///   - binding: called with each element.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  @preconcurrency
  public init<Target: AnyObject & Sendable>(
    _ target: Target, scheduler: any ImmediateSchedulerType,
    fileID: StaticString = #fileID, line: UInt = #line,
    binding: @escaping @Sendable (Target, Value) -> Void
  ) {
    let target = BinderTarget(target)
    self.init(on: scheduler, Hooks.CallSite(fileID: fileID, line: line)) { value in
      if let target = target.object { binding(target, value) }
    }
  }

  /// Makes a binder that assigns elements to a property, on the main actor.
  @MainActor
  init<Target: AnyObject>(
    _ target: Target, assigning keyPath: ReferenceWritableKeyPath<Target, Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let property = BoundProperty(keyPath: keyPath)
    self.init(target, fileID: fileID, line: line) { $0[keyPath: property.keyPath] = $1 }
  }

  private init<Target: AnyObject>(
    _ target: BinderTarget<Target>, _ site: Hooks.CallSite,
    _ binding: @escaping @MainActor @Sendable (Target, Value) -> Void
  ) {
    self.init(on: MainScheduler(), site) { value in
      MainActor.assumeIsolated {
        if let target = target.object { binding(target, value) }
      }
    }
  }

  private init(
    on scheduler: any ImmediateSchedulerType, _ site: Hooks.CallSite,
    _ assign: @escaping @Sendable (Value) -> Void
  ) {
    self.site = site
    self.assign = { value in
      _ = scheduler.schedule(value) { value in
        assign(value)
        return Disposables.create()
      }
    }
  }

  /// Assigns an element; traps in debug builds for an error.
  public func on(_ event: Event<Value>) {
    switch event {
    case .next(let value): assign(value)
    case .error(let error): Hooks.reportBound(error, at: site)
    case .completed: break
    }
  }
}

/// The object of a binder.
private struct BinderTarget<Object: AnyObject>: @unchecked Sendable {
  // Unchecked: the weak reference guards itself. An object that is not Sendable is passed in on the
  // main actor, and read by closures of the main actor alone.
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}

/// The key path of a property that is assigned on the main actor.
private struct BoundProperty<Target, Value>: @unchecked Sendable {
  // Unchecked: the key path, and the arguments of subscripts that it captures, come from the main
  // actor and are used there alone.
  let keyPath: ReferenceWritableKeyPath<Target, Value>
}
