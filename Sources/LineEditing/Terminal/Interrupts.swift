import CroftLibc

/// The handling of ^C while no line is being edited.
package enum Interrupts {
  /// Holds a byte for each ^C that has not been handled; nil if no pipe can be opened.
  private static let pipe = SignalPipe()

  /// Makes a crash end the process at once.
  ///
  /// The runtime's backtracer asks on a terminal for a key first, and waits half a minute for it.
  package static func endCrashesAtOnce() {
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      signal(number, SIG_DFL)
    }
  }

  /// Makes ^C end the process with 130, for commands and scripts.
  ///
  /// A running transaction is rolled back; every change that was answered is stored.
  package static func endProcess() {
    SignalHandler.install({ _ in _exit(130) }, for: SIGINT)
  }

  /// Makes ^C end a question and nothing else, for the prompt.
  package static func endQuestion() {
    // Made here, because a signal handler may not allocate.
    _ = pipe
    SignalHandler.install({ Interrupts.pipe?.notify($0) }, for: SIGINT)
  }

  /// Whether a ^C has come that nothing has handled; false where ^C ends the process.
  package static var isRequested: Bool {
    guard let pipe else { return false }
    var wait = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) > 0
  }

  /// Discards every ^C so far.
  package static func forget() { pipe?.drain() }

  /// Waits until a read of a file would not block.
  ///
  /// A signal alone is not enough: one that comes between a question and the read of its answer
  /// would be lost, and one on another thread would not interrupt the read.
  ///
  /// - Returns: Whether there is input; false after a ^C, which stays requested until it is
  ///   forgotten.
  static func waitForInput(of descriptor: FileDescriptor) -> Bool {
    pipe?.wait(orFor: descriptor) != true
  }
}
