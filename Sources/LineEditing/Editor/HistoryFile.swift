package import CroftFoundation
import CroftLibc

/// A file of the state folder, readable by its user alone.
///
/// The prompt works without its state. So a file that cannot be read counts as empty, and a failed
/// write is not reported: commands work in a home folder that is full or read-only.
package struct StateFile {
  /// Where it is.
  package let path: String

  /// The file at a path, which need not be there.
  package init(path: String) { self.path = path }

  /// The end of the file with a number of lines, or a little more; all of a shorter file.
  ///
  /// - Complexity: O(n) in the bytes that are returned.
  func readEnd(lines: Int) -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return [] }
    defer { close(number) }
    var start = lseek(number, 0, SEEK_END)
    var chunks: [[UInt8]] = []
    var newlines = 0
    while start > 0, newlines <= lines {
      var chunk = [UInt8](repeating: 0, count: Int(min(start, 1 << 16)))
      start -= off_t(chunk.count)
      let size = chunk.count
      guard pread(number, &chunk, size, start) == size else { return [] }
      newlines += chunk.count { $0 == UInt8(ascii: "\n") }
      chunks.append(chunk)
    }
    let bytes = Array(chunks.reversed().joined())
    if start == 0 { return bytes }
    // The first line may lack its beginning.
    let first = bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Array(bytes[first...])
  }

  /// Appends text in one write, so that the lines of two sessions do not mix.
  package func append(_ text: String) {
    write(text, to: path, O_APPEND)
  }

  /// Replaces the file; a reader sees either the whole old text or the whole new one.
  package func replace(with text: String) {
    let temporary = "\(path).\(getpid())"
    if write(text, to: temporary, O_TRUNC), rename(temporary, path) == 0 { return }
    unlink(temporary)
  }

  @discardableResult
  private func write(_ text: String, to path: String, _ flag: Int32) -> Bool {
    // The error is ignored, because the open that follows fails then; see the type's comment.
    try? FileManager.default.makeFolder(of: path)
    let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o600)
    guard number >= 0 else { return false }
    defer { close(number) }
    // One that was there may have another mode.
    _ = fchmod(number, 0o600)
    let bytes = Array(text.utf8)
    return FileDescriptor(number: number).write(bytes) == .bytes(bytes.count)
  }
}

extension FileManager {
  /// Makes the folder of a file, which its user alone may read.
  package func makeFolder(of path: String) throws {
    try createDirectory(
      atPath: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]),
      withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}

/// The commands of earlier sessions, in a text file that only grows.
///
/// Each line is a command. A newline inside a command has a backslash before it, and a command
/// that ends with a backslash has a blank after it. Two sessions may append at once. A command is
/// not kept if it begins with a blank, or if it repeats the one before.
package final class HistoryFile {
  private let file: StateFile
  private var last: String?

  /// How many of the newest commands a session loads.
  static let loadedMax = 10_000

  /// The history of a program, in its state folder.
  package init(folder: String) {
    file = StateFile(path: "\(folder)/history")
  }

  static func keeps(_ entry: String) -> Bool {
    !entry.isEmpty && !entry.hasPrefix(" ")
  }

  /// The newest commands, oldest first, each once among its neighbours.
  ///
  /// - Complexity: O(n) in the bytes of what is loaded, however long the file is.
  func load() -> [String] {
    var entries: [String] = []
    var open: String?
    let lines = String(decoding: file.readEnd(lines: Self.loadedMax), as: UTF8.self)
      .split(separator: "\n").suffix(Self.loadedMax)
    for line in lines {
      let text = (open.map { $0 + "\n" } ?? "") + line
      if line.hasSuffix("\\") {
        open = String(text.dropLast())
        continue
      }
      open = nil
      let entry = text.hasSuffix("\\ ") ? String(text.dropLast()) : text
      if entry != entries.last { entries.append(entry) }
    }
    last = entries.last
    return entries
  }

  /// Appends a command, unless it repeats the one before.
  func append(_ entry: String) {
    guard Self.keeps(entry), entry != last else { return }
    last = entry
    let lines = entry.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasSuffix("\\") ? $0 + " " : String($0) }
    file.append(lines.joined(separator: "\\\n") + "\n")
  }
}
