import CroftFoundation

/// The user's own editor, in which ^X ^E opens a line.
struct ExternalEditor {
  /// The variables of the process, of which `VISUAL` and `EDITOR` name the program.
  let variables: [String: String]

  private static let command = #"${VISUAL:-${EDITOR:-vi}} "$1""#

  /// Opens a text in the editor, and waits for its end.
  ///
  /// - Returns: The text as it was saved, without the newlines at its end; nil where no file can be
  ///   written, or the editor failed.
  func edit(_ text: String) -> String? {
    let name = "line-\(UUID().uuidString).txt"
    let file = FileManager.default.temporaryDirectory.appending(path: name)
    // What the user writes is nobody else's.
    let isMade = FileManager.default.createFile(
      atPath: file.path, contents: Data((text + "\n").utf8),
      attributes: [.posixPermissions: 0o600])
    guard isMade else { return nil }
    // The error is ignored: a file that stays is in the folder for temporary ones.
    defer { try? FileManager.default.removeItem(at: file) }
    let process = ShellProcess(
      command: Self.command, arguments: [file.path], variables: variables)
    // The error is ignored: a file that is gone is an edit that was given up.
    guard process.run() == 0, let saved = try? Data(contentsOf: file) else { return nil }
    var edited = String(decoding: saved, as: UTF8.self)
    while edited.last?.isNewline == true { edited.removeLast() }
    return edited
  }
}
