#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where a subscription was made.
struct CallSite: Sendable {
  let fileID: StaticString
  let line: UInt
}

/// What an application may put in place of the defaults.
public enum Hooks {
  /// Takes an error that no subscriber handled, and where the subscription was made.
  public typealias DefaultErrorHandler =
    @Sendable (_ subscriptionCallStack: [String], _ error: any Error) -> Void

  private static let handler = Locked<DefaultErrorHandler>(writeToStandardError)

  /// Where errors go that arrive at a subscription without `onError`.
  ///
  /// Unless it is set, they are written to standard error, a line each.
  ///
  /// Threads: may be set and read from any thread; it is called on the thread that sent the
  /// error.
  public static var defaultErrorHandler: DefaultErrorHandler {
    get { handler.withLock { $0 } }
    set {
      // The one before is released outside of the lock: its captures may have deinitialisers.
      var outgoing = newValue
      handler.withLock { swap(&$0, &outgoing) }
    }
  }

  /// Takes a line of what an observed sequence does.
  public typealias DebugWriter = @Sendable (_ line: String) -> Void

  private static let writer = Locked<DebugWriter>(writeToStandardError)

  /// Where the lines of `debug` go.
  ///
  /// Unless it is set, they are written to standard error.
  ///
  /// Threads: may be set and read from any thread; it is called on the thread of the event.
  public static var debugWriter: DebugWriter {
    get { writer.withLock { $0 } }
    set {
      // Released outside of the lock, as above.
      var outgoing = newValue
      writer.withLock { swap(&$0, &outgoing) }
    }
  }

  static func report(_ error: any Error, at site: CallSite) {
    defaultErrorHandler(["\(site.fileID):\(site.line)"], error)
  }

  @Sendable
  private static func writeToStandardError(_ callStack: [String], _ error: any Error) {
    let site = callStack.first ?? "unknown"
    writeToStandardError("Unhandled error in the subscription at \(site): \(error)")
  }

  @Sendable
  private static func writeToStandardError(_ line: String) {
    // Not the standard library's printing: that goes to standard output, which is the program's.
    // Where even this cannot be written there is nobody left to tell.
    _ = Array("\(line)\n".utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
