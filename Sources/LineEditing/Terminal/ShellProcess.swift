import CroftLibc

/// A program that the shell runs on the terminal, while this process waits for its end.
package struct ShellProcess {
  private let command: String
  private let arguments: [String]
  private let variables: [String: String]

  /// Describes a program, which runs later.
  ///
  /// - Parameters:
  ///   - command: The line that the shell runs.
  ///   - arguments: The words that the line has as `$1` and so on.
  ///   - variables: The variables of the program.
  package init(command: String, arguments: [String] = [], variables: [String: String]) {
    (self.command, self.arguments, self.variables) = (command, arguments, variables)
  }

  /// The signals that are the program's own while it runs, and that of a pipe that it closed.
  private static let ignored = [SIGINT, SIGQUIT, SIGPIPE]

  /// Runs the program; the terminal has its settings back afterwards.
  ///
  /// A ^C is the program's own: this process continues.
  ///
  /// - Parameters:
  ///   - input: A descriptor that becomes its standard input, and is closed; nil for that of this
  ///     process.
  ///   - body: Called while the program runs.
  /// - Returns: Its exit code; after a signal 128 and the signal's number, as shells tell it; nil
  ///   where
  ///   it could not be started.
  package func run(standardInput input: Int32? = nil, _ body: () -> Void = {}) -> Int32? {
    let signals = Self.ignored.map { ($0, SignalHandler.install(SIG_IGN, for: $0)) }
    defer { for (number, action) in signals { SignalHandler.restore(number, action) } }
    let mode = TerminalMode(savedOf: .standardOutput)
    defer { mode?.restore() }
    let process = start(reading: input)
    if let input { close(input) }
    body()
    guard let process else { return nil }
    // The code 1, unless the system tells another: it forgets processes where SIGCHLD is ignored.
    var status: Int32 = 1 << 8
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  private func start(reading input: Int32?) -> pid_t? {
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
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in Self.ignored { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words: [UnsafeMutablePointer<CChar>?] =
      (["sh", "-c", command, "sh"] + arguments).map { strdup($0) } + [nil]
    let settings: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, settings)
    return code == 0 ? process : nil
  }
}
