#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The process of a pager.
extension Pager {
  /// Shows bytes and waits for the end of the program.
  ///
  /// A program that leaves early has shown enough. A ^C is the program's own: this process continues. The
  /// terminal has its settings back afterwards.
  ///
  /// - Returns: Whether it was shown; false where the program could not be run.
  func show(_ bytes: [UInt8]) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let signals = Self.ignored.map { ($0, Self.ignore($0)) }
    defer { for (number, action) in signals { Self.restore(number, action) } }
    let mode = TerminalMode.settings(of: .standardOutput)
    defer { mode?.restore() }
    let process = start(reading: ends[0])
    close(ends[0])
    defer { if process == nil { close(ends[1]) } }
    guard let process else { return false }
    // A program that reads no more is no error.
    _ = FileDescriptor(number: ends[1]).write(bytes)
    close(ends[1])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 0
    return code != Self.notExecutable && code != Self.notFound
  }

  /// The signals that are the program's own while it runs, and that of a pipe that it closed.
  private static let ignored = [SIGINT, SIGQUIT, SIGPIPE]
  /// The codes by which a shell says that it cannot run a program (POSIX).
  private static let notExecutable: Int32 = 126
  private static let notFound: Int32 = 127

  /// Starts the shell with the end of a pipe as its standard input.
  private func start(reading end: Int32) -> pid_t? {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, end, 0)
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in Self.ignored { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments: [String] = ["sh", "-c", command]
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let settings: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, settings)
    return code == 0 ? process : nil
  }

  /// Ignores a signal; the action that it had, or nil where that cannot be told.
  private static func ignore(_ number: Int32) -> sigaction? {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = SIG_IGN
    #else
      action.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    var old = sigaction()
    return sigaction(number, &action, &old) == 0 ? old : nil
  }

  private static func restore(_ number: Int32, _ action: sigaction?) {
    guard var action else { return }
    sigaction(number, &action, nil)
  }
}
