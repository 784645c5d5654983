#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What ^C does while no line is being edited.
enum Interrupts {
  /// Ends the process at once with 130: for commands and scripts.
  ///
  /// A transaction in hand is lost as a whole, and what was acknowledged is stored.
  static func endProcess() {
    install { _ in _exit(130) }
  }

  /// Ends a question and nothing else: for the prompt, which stays.
  static func endQuestion() {
    // A handler without SA_RESTART makes a waiting read return; it needs no body.
    install { _ in }
  }

  private static func install(_ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(SIGINT, &action, nil)
  }
}
