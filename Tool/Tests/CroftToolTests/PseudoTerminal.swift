#if os(Linux)
  import Foundation
  import Glibc
  import Testing

  /// The program on a terminal of its own, typed at by a test.
  final class PseudoTerminal {
    private let controller: Int32
    private let process: pid_t
    /// The output since the text that was waited for last.
    private(set) var seen = ""
    private var pending: [UInt8] = []
    private var hasHungUp = false

    /// Linux's `TIOCSPTLCK`, `TIOCGPTN` and `POSIX_SPAWN_SETSID`.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let spawnSetSession: Int16 = 0x80

    /// Starts the program in a session whose terminal this is, 80 columns wide.
    init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
      controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(controller >= 0)
      // The C library's own calls for this are hidden from Swift; these are what they do.
      var isLocked: Int32 = 0
      var number: Int32 = 0
      var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
      try #require(ioctl(controller, Self.setLock, &isLocked) == 0)
      try #require(ioctl(controller, Self.getNumber, &number) == 0)
      try #require(ioctl(controller, UInt(TIOCSWINSZ), &size) == 0)
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      // The first terminal that a new session opens becomes its own.
      posix_spawnattr_setflags(
        &attributes,
        Self.spawnSetSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
      var noSignals = sigset_t()
      sigemptyset(&noSignals)
      posix_spawnattr_setsigmask(&attributes, &noSignals)
      var usual = sigset_t()
      sigemptyset(&usual)
      for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&usual, number) }
      posix_spawnattr_setsigdefault(&attributes, &usual)
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
      posix_spawn_file_actions_addclose(&actions, controller)
      var argv = ([program] + arguments).map { strdup($0) } + [nil]
      var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer {
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
        (argv + envp).forEach { free($0) }
      }
      var started = pid_t()
      try #require(posix_spawn(&started, program, &actions, &attributes, &argv, &envp) == 0)
      process = started
    }

    deinit { close(controller) }

    /// Types text; `\r` is Enter, `\t` is Tab, `\u{3}` is ^C, `\u{4}` is ^D.
    func type(_ text: String) {
      let bytes = Array(text.utf8)
      _ = write(controller, bytes, bytes.count)
    }

    /// Waits until the terminal shows a text after what was waited for before.
    ///
    /// - Returns: Everything shown up to and with it.
    @discardableResult
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
      while true {
        if let range = seen.range(of: text) {
          defer { seen = String(seen[range.upperBound...]) }
          return String(seen[..<range.upperBound])
        }
        guard readMore() else {
          Issue.record(
            "\"\(text)\" never came; seen: \(seen.debugDescription)", sourceLocation: sourceLocation
          )
          return seen
        }
      }
    }

    /// Waits for the end of the program and gives its exit code, or minus the signal.
    func waitForEnd() -> Int32 {
      while readMore() {}
      // A program that says nothing and does not end either is killed.
      if !hasHungUp { kill(process, SIGKILL) }
      var status: Int32 = 0
      waitpid(process, &status, 0)
      let signal = status & 0x7F
      return signal == 0 ? (status >> 8) & 0xFF : -signal
    }

    /// Reads what there is; false at the end, or when nothing comes for a minute.
    private func readMore() -> Bool {
      var poller = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 60_000) == 1 else { return false }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(controller, &buffer, buffer.count)
      guard count > 0 else {
        hasHungUp = true
        return false
      }
      pending += buffer[..<count]
      // A character may come in two parts.
      var whole = pending.count
      while whole > max(0, pending.count - 4),
        String(validating: pending[..<whole], as: UTF8.self) == nil
      { whole -= 1 }
      seen += String(decoding: pending[..<whole], as: UTF8.self)
      pending.removeFirst(whole)
      return true
    }
  }
#endif
