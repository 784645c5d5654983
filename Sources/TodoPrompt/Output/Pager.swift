import CroftLibc
import LineEditing
import Presentation
import TerminalText

/// The program that shows results which are longer than the terminal.
///
/// Only `show` runs a process.
struct Pager: Equatable {
  /// The line that a shell runs.
  let command: String
  let variables: [String: String]

  /// What counts where neither the settings nor `PAGER` name a program.
  private static let usual = "less"
  /// The variables that a user's own settings override: `less` leaves at once where all fits, and draws colours and Hangul.
  private static let defaults = ["LESS": "FRX", "LESSCHARSET": "utf-8"]

  /// Makes a pager; nil where there is none to run.
  ///
  /// The setting comes before `PAGER`. An empty `PAGER`, a dumb terminal, and a program that does not exist
  /// mean that there is none.
  ///
  /// - Parameters:
  ///   - setting: The value of the settings: a line of the shell, or `none`; nil for that of `PAGER`.
  ///   - exists: Whether there is a program at a path.
  init?(setting: String?, environment: [String: String], exists: (String) -> Bool) {
    let command =
      setting.flatMap { $0 == Self.byVariable ? nil : $0 } ?? environment["PAGER"] ?? Self.usual
    if command.isBlank || command == Self.none || environment["TERM"] == "dumb" { return nil }
    if let program = Self.program(of: command) {
      let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
      let paths = program.contains("/") ? [program] : folders
      if !paths.contains(where: exists) { return nil }
    }
    self.command = command
    variables = environment.merging(Self.defaults) { set, _ in set }
  }

  /// The value of the setting for no pager.
  static let none = "none"
  /// The value of the setting for the variable's program.
  static let byVariable = "$PAGER"

  /// The program that a line begins with, after its variables; nil where only the shell knows.
  private static func program(of command: String) -> String? {
    let words = command.split(separator: " ").drop { $0.contains("=") }
    guard let word = words.first else { return nil }
    let isPlain = word.utf8.allSatisfy { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar.properties.isAlphabetic && byte < 0x80
        || "0123456789./_+-".unicodeScalars.contains(scalar)
    }
    return isPlain ? String(word) : nil
  }

  /// Whether a text leaves no row of the terminal for what comes after it.
  ///
  /// - Complexity: O(n) in the characters that fit on the terminal.
  static func isNeeded(for bytes: [UInt8], rows: Int, columns: Int?) -> Bool {
    var newlines = 0
    for byte in bytes where byte == UInt8(ascii: "\n") {
      newlines += 1
      if newlines >= rows { return true }
    }
    guard let columns, columns > 0 else { return false }
    var used = 0
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    for line in lines {
      used += max(1, (String(line).withoutStyles.displayWidth + columns - 1) / columns)
      if used >= rows { return true }
    }
    return false
  }

  /// Shows bytes and waits for the end of the program.
  ///
  /// A program that leaves early has shown enough.
  ///
  /// - Returns: Whether it was shown; false where the program could not be run.
  func show(_ bytes: [UInt8]) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = ShellProcess(command: command, variables: variables)
    let code = process.run(standardInput: ends[0]) {
      // A program that reads no more is no error.
      _ = FileDescriptor(number: ends[1]).write(bytes)
      close(ends[1])
    }
    guard let code else { return false }
    return code != Self.notExecutable && code != Self.notFound
  }

  /// The codes by which a shell says that it cannot run a program (POSIX).
  private static let notExecutable: Int32 = 126
  private static let notFound: Int32 = 127
}

extension String {
  /// The text without the codes of styles.
  fileprivate var withoutStyles: String {
    if !utf8.contains(0x1B) { return self }
    var kept = String.UnicodeScalarView()
    var isCode = false
    for scalar in unicodeScalars {
      if scalar.value == 0x1B {
        isCode = true
      } else if !isCode {
        kept.append(scalar)
      } else if scalar == "m" {
        isCode = false
      }
    }
    return String(kept)
  }
}
