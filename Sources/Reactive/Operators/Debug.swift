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
    return self.do(
      onNext: { log.write(.next($0)) }, onError: { log.write(Event<Element>.error($0)) },
      onCompleted: { log.write(Event<Element>.completed) },
      onSubscribe: { log.write("subscribed") },
      onDispose: { log.write("isDisposed") })
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
