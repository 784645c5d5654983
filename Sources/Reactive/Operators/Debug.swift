extension ObservableType {
  /// Writes a line for the subscription, for every event and for the disposal.
  ///
  /// The lines go to ``Hooks/debugWriter``.
  ///
  /// - Parameters:
  ///   - identifier: the beginning of each line; the call site when it is nil.
  ///   - trimOutput: whether the middle of long events is left out.
  ///   - file: part of the call site.
  ///   - line: part of the call site.
  ///   - function: part of the call site.
  public func debug(
    _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file,
    line: UInt = #line, function: String = #function
  ) -> Observable<Element> {
    let site = { "\(file.split(separator: "/").last ?? ""):\(line) (\(function))" }
    let log = DebugLog(identifier: identifier ?? site(), trims: trimOutput)
    let source = asObservable()
    return Producer { down in
      log.write("subscribed")
      let disposal = DisposalHook(before: down) { log.write("isDisposed") }
      down.attach(disposal)
      source.run(DebugSink(down, disposal, log))
    }
  }
}

private struct DebugLog: Sendable {
  private static let longestEvent = 40

  let identifier: String
  let trims: Bool

  func write(_ line: String) { Hooks.debugWriter("\(identifier) -> \(line)") }

  func write<Element>(_ event: Event<Element>) {
    let text = "\(event)"
    let limit = DebugLog.longestEvent
    let isLong = trims && text.count > limit
    write("Event \(isLong ? "\(text.prefix(limit / 2))...\(text.suffix(limit / 2))" : text)")
  }
}

private final class DebugSink<Element>: OperatorSink<Element, Element> {
  private let disposal: DisposalHook
  private let log: DebugLog

  init(_ down: Sink<Element>, _ disposal: DisposalHook, _ log: DebugLog) {
    self.disposal = disposal
    self.log = log
    super.init(down)
  }

  override var disposalHook: DisposalHook? { disposal }

  override func attach(_ upstream: any Disposable) { disposal.attach(upstream) }

  override func next(_ element: Element) {
    if disposal.isDisposed { return }
    log.write(.next(element))
    down.next(element)
  }

  override func done(_ error: (any Error)?) {
    if disposal.isDisposed { return }
    let event: Event<Element> = error.map { .error($0) } ?? .completed
    log.write(event)
    finish(error)
  }
}
