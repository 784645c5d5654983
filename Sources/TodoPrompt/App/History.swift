/// The lines of earlier sessions: a plain file that only grows, one line a command.
///
/// Two sessions may write at once. A line that begins with a blank is not kept,
/// nor one that repeats the line before.
final class History {
  private let file: StateFile
  private var last: String?

  /// How many of the newest lines a session starts with.
  private static let loadedLinesMax = 1000

  init(folder: String) {
    file = StateFile(path: "\(folder)/history")
  }

  /// Whether a line is worth keeping.
  static func keeps(_ line: String) -> Bool {
    !line.isEmpty && !line.hasPrefix(" ")
  }

  /// The newest lines, oldest first.
  func load() -> [String] {
    let lines = String(decoding: file.read(), as: UTF8.self)
      .split(separator: "\n").suffix(Self.loadedLinesMax).map(String.init)
    last = lines.last
    return lines
  }

  /// Keeps a line, unless it is the one before once more.
  func append(_ line: String) {
    guard Self.keeps(line), line != last else { return }
    last = line
    file.append(line + "\n")
  }
}
