import Croft

/// Errors as the user of the shell reads them: what to type, and not what to write in a program.
enum ErrorText {
  /// What errors of Croft tell a program to do, and what does the same in the shell.
  static let advice: [(program: String, shell: String)] = [
    (
      "Use upsert to replace it.",
      "Change it with update, or import rows with --update, or with --skip to leave it."
    ),
    ("Open it without isReadOnly to write.", "Start croft with --write."),
    ("open the store for writing to create it", "croft load FILE makes one of a dump"),
    ("open it once for writing", "start croft with --write once, where the file can be written to"),
    (
      "give those commits up with Store.recover(at:)",
      "give those commits up with croft repair FILE COPY"
    ),
    ("for longer than writerTimeout", "for too long"),
    ("or set replacesExisting", "or remove it first"),
    ("move it, or set allowsNetworkFileSystem", "copy it to a disk of this machine"),
    ("End some, or raise maxReaders.", "End some of them; .readers names their processes."),
    (
      unknownCases,
      "start croft with --force to set it all the same"
    ),
    ("Leave it, and begin another.", "Write rollback, and begin another."),
  ]

  /// What an error tells a program to do about a value that only another program can check.
  private static let unknownCases = "allow unknown cases to set it all the same"

  /// What is told of a value that `--force` sets, for the reason with which it is refused without
  /// that; nil for another reason.
  static func warning(for reason: String) -> String? {
    guard reason.contains(unknownCases) else { return nil }
    return reason.replacing(unknownCases, with: "--force sets it all the same")
  }

  /// The description of an error, with the advice for users of the shell.
  static func text(of error: any Error) -> String {
    switch error {
    case let problem as ShellCommand.Problem: problem.reason
    case StoreError.unknownModel(let model): "The file has no model \(model.escaped())."
    default: shellText("\(error)")
    }
  }

  /// A text of Croft, with the advice for users of the shell.
  static func shellText(_ text: String) -> String {
    advice.reduce(text) { $0.replacing($1.program, with: $1.shell) }
  }
}
