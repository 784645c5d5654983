/// Work on a whole file, which its name after `croft`, or a command of the prompt, asks for.
enum FileOperation: Equatable {
  case verify
  case stats
  case readers
  case backup(to: String)
  /// Nil replaces the file itself, which nobody may have open.
  case compact(to: String?)
  /// Writes the file as lines of JSON.
  case dump
  /// Makes the file of such lines.
  case load

  /// The operation of a name, with the words after the file; nil for another name.
  ///
  /// - Throws: ``ShellCommand/Problem`` for words that are missing, or too many.
  init?(_ name: String, _ words: [String]) throws(ShellCommand.Problem) {
    switch (name, words.count) {
    case ("verify", 0): self = .verify
    case ("stats", 0): self = .stats
    case ("readers", 0): self = .readers
    case ("backup", 1): self = .backup(to: words[0])
    case ("compact", 0): self = .compact(to: nil)
    case ("compact", 1): self = .compact(to: words[0])
    case ("dump", 0): self = .dump
    case ("load", 0): self = .load
    case ("backup", _):
      throw ShellCommand.Problem(reason: "\(name) needs the name of the copy, and no more")
    case ("compact", _):
      throw ShellCommand.Problem(reason: "\(name) takes at most the name of a copy")
    case ("verify", _), ("stats", _), ("readers", _), ("dump", _), ("load", _):
      throw ShellCommand.Problem(reason: "\(name) takes no words beside the file")
    default: return nil
    }
  }

  /// Whether it copies the file, for which writers are waited for.
  var copies: Bool {
    switch self {
    case .backup, .compact: true
    case .verify, .stats, .readers, .dump, .load: false
    }
  }
}
