import CroftPostgres
import Foundation
import Presentation
import Synchronization

/// Where the password comes from: a file, what libpq finds by itself, or a question.
///
/// libpq finds `PGPASSWORD` and `~/.pgpass`. An answer is kept in memory until the program ends, and nowhere else.
///
/// Threads: any; the answer has a lock.
final class PasswordSource: Sendable {
  private let file: String?
  private let language: Language
  private let answer = Mutex<String?>(nil)

  init(file: String?, language: Language) { (self.file, self.language) = (file, language) }

  /// What gives the password at each connection; nil where libpq looks for it.
  func provider() throws -> (@Sendable () async throws -> String)? {
    if let file {
      _ = try Self.read(file)
      return { try Self.read(file) }
    }
    guard let answer = answer.withLock({ $0 }) else { return nil }
    return { answer }
  }

  /// Asks for the password, without showing it.
  ///
  /// - Returns: False where nobody can be asked, or the password comes from a file.
  func ask() -> Bool {
    guard file == nil, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    SyncProgram.tell(SyncText.asksPassword.text(in: language), end: "")
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return false }
    let line = readLine()
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    SyncProgram.tell("")
    guard let line, !line.isEmpty else { return false }
    answer.withLock { $0 = line }
    return true
  }

  /// Reads the first line of a file that only its owner can read.
  private static func read(_ path: String) throws -> String {
    let attributes: [FileAttributeKey: Any]
    let text: String
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: path)
      text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    } catch { throw SyncText.noFile(path) }
    guard let mode = attributes[.posixPermissions] as? NSNumber, mode.intValue & 0o077 == 0 else {
      throw SyncText.openFile(path)
    }
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}
