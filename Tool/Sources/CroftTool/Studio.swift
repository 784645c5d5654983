import Foundation

/// The program that shows a store in a browser: one of its own, because it has a server.
enum Studio {
  /// The word after `croft` that asks for it.
  static let word = "studio"
  private static let program = "croft-studio"

  /// Becomes the studio, with its arguments: this process continues only where that fails.
  ///
  /// It is looked for in the folder of this program, and then in those of `PATH`.
  ///
  /// - Returns: Why it did not start, as a sentence.
  static func run(_ words: [String]) -> String {
    guard let path = path() else {
      return
        "\(program) shows a store in a browser, and is neither in the folder of croft nor in PATH; in a "
        + "clone of Croft, Scripts/croft studio FILE builds and starts it. A file with the name "
        + "\(word) is written as ./\(word)"
    }
    var argv = ([path] + words).map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    // This program ignores the signal, and one that is started in its place would too.
    signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, SIG_IGN) }
    // Safety: the words are texts that end with a zero, and nil is the last.
    execv(path, &argv)
    return "\(path.escaped()) cannot be started: \(String(cString: strerror(errno)))"
  }

  private static func path() -> String? {
    let own = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
    let others = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let folders = (own.map { [$0] } ?? []) + others.map(String.init)
    return folders.map { "\($0)/\(program)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
