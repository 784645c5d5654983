import CroftLibc

/// Handlers that an application may replace.
public enum Hooks {
  /// The call that made a subscription.
  struct CallSite: Sendable {
    let fileID: StaticString
    let line: UInt
  }

  /// A handler of an error that no observer handled, with the call site of the subscription.
  public typealias DefaultErrorHandler =
    @Sendable (_ subscriptionCallStack: [String], _ error: any Error) -> Void

  private static let handler = Locked<DefaultErrorHandler>(writeToStandardError)

  /// The handler of errors that arrive at a subscription without `onError`.
  ///
  /// By default each is written to standard error, as a line.
  ///
  /// Threads: may be set and read from any thread; it is called on the thread that emitted the
  /// error.
  public static var defaultErrorHandler: DefaultErrorHandler {
    get { handler.withLock { $0 } }
    set { handler.replace(by: newValue) }
  }

  /// A writer of one line of `debug`.
  public typealias DebugWriter = @Sendable (_ line: String) -> Void

  private static let writer = Locked<DebugWriter>(writeToStandardError)

  /// The writer of the lines of `debug`.
  ///
  /// By default they are written to standard error.
  ///
  /// Threads: may be set and read from any thread; it is called on the thread of the event.
  public static var debugWriter: DebugWriter {
    get { writer.withLock { $0 } }
    set { writer.replace(by: newValue) }
  }

  static func report(_ error: any Error, at site: CallSite) {
    defaultErrorHandler(["\(site.fileID):\(site.line)"], error)
  }

  /// Traps in debug builds for the error of a bound sequence, and reports it in others.
  static func reportBound(_ error: any Error, at site: CallSite) {
    assertionFailure(
      "A sequence bound at \(site.fileID):\(site.line) failed with \(error): turn errors "
        + "into elements before binding.")
    report(error, at: site)
  }

  @Sendable
  private static func writeToStandardError(_ callStack: [String], _ error: any Error) {
    let site = callStack.first ?? "unknown"
    writeToStandardError("Unhandled error in the subscription at \(site): \(error)")
  }

  @Sendable
  private static func writeToStandardError(_ line: String) {
    // The standard library prints to standard output, which belongs to the program. An error of
    // this call is ignored, because it could not be reported anywhere else.
    _ = Array("\(line)\n".utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
