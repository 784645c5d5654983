import Croft

/// Work on a whole file, which its name after `croft`, or a command of the prompt, asks for.
enum FileOperation: Equatable {
  case verify
  case stats
  case readers
  /// Writes the commits that the file's log has.
  case log
  case backup(to: String)
  /// Nil replaces the file itself, which nobody may have open.
  case compact(to: String?)
  /// Makes a new file of the objects that can be read.
  case repair(to: String)
  /// Writes how another file differs; of all models where none is named.
  case diff(with: String, models: [String])
  /// Writes the file as lines of JSON.
  case dump
  /// Makes the file of such lines.
  case load
  /// Inserts the objects of a table or of lines of JSON.
  case importRows(ImportRequest)

  /// The operation of a name, with the words after the file; nil for another name.
  ///
  /// - Throws: ``ShellCommand/Problem`` for words that are missing, or too many.
  init?(_ name: String, _ words: [String]) throws(ShellCommand.Problem) {
    switch (name, words.count) {
    case ("verify", 0): self = .verify
    case ("stats", 0): self = .stats
    case ("readers", 0): self = .readers
    case ("log", 0): self = .log
    case ("backup", 1): self = .backup(to: words[0])
    case ("compact", 0): self = .compact(to: nil)
    case ("compact", 1): self = .compact(to: words[0])
    case ("repair", 1): self = .repair(to: words[0])
    case ("diff", 1...): self = .diff(with: words[0], models: Array(words.dropFirst()))
    case ("dump", 0): self = .dump
    case ("load", 0): self = .load
    case ("import", _): self = .importRows(try ImportRequest(words))
    case ("backup", _), ("repair", _):
      throw ShellCommand.Problem(reason: "\(name) needs the name of the copy, and no more")
    case ("compact", _):
      throw ShellCommand.Problem(reason: "\(name) takes at most the name of a copy")
    case ("diff", _):
      throw ShellCommand.Problem(reason: "\(name) needs the file to compare with")
    case ("verify", _), ("stats", _), ("readers", _), ("log", _), ("dump", _), ("load", _):
      throw ShellCommand.Problem(reason: "\(name) takes no words beside the file")
    default: return nil
    }
  }

  /// The names of all operations, as they are written before the file.
  static let names = [
    "verify", "stats", "readers", "log", "backup", "compact", "repair", "diff", "dump", "load",
    "import",
  ]

  /// The name that a misspelt one is meant to be; nil where none is similar.
  static func name(meantBy word: String) -> String? {
    Spelling.nearest(to: word, among: names + [Studio.word])
  }

  /// Why it is not done within a transaction; nil where it is.
  var refusalInTransaction: String? {
    switch self {
    case .backup, .compact, .repair:
      "a copy is made outside of a transaction; commit or rollback ends it"
    case .importRows:
      "an import is a transaction of its own; commit or rollback ends this one"
    case .verify, .stats, .readers, .log, .diff, .dump, .load: nil
    }
  }

  /// Whether it tells what is wrong with a file that cannot be opened for a reason.
  func isDone(despite error: any Error) -> Bool {
    switch (self, error) {
    case (.verify, StoreError.corrupt), (.repair, StoreError.corrupt): true
    case (.repair, let error as StoreError): error.isOfLostJournal
    default: false
    }
  }

  /// The exit code of a run in which it failed.
  var failureCode: Int32 {
    // As diff has it: 1 tells that the files differ.
    if case .diff = self { Program.ExitCode.trouble } else { Program.ExitCode.failure }
  }

  /// The exit code of a run whose reader left; nil for that of other results.
  ///
  /// 0 would tell that the files are equal, or that nothing was lost.
  var codeWithoutReader: Int32? {
    switch self {
    case .diff: Program.ExitCode.trouble
    case .repair: Program.ExitCode.output
    default: nil
    }
  }
}
