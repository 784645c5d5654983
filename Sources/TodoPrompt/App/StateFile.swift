#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A small file of the user's own, readable by nobody else, which the prompt can do without.
///
/// It serves comfort only, history and remembered lists. So a file that cannot be
/// read is an empty one, and a write that fails is lost without a word: a home
/// folder that is full or read-only must not stand between a user and the list.
struct StateFile {
  let path: String

  /// The folder for what a program remembers between runs, by the XDG rules.
  ///
  /// - Returns: `$XDG_STATE_HOME/todo`, or the same under `~/.local/state`; nil without
  ///   a home folder.
  static func stateFolder(environment: [String: String]) -> String? {
    xdgFolder("XDG_STATE_HOME", below: ".local/state", environment: environment)
      .map { $0 + "/todo" }
  }

  /// One of the base folders; the rules want relative values to be ignored.
  static func xdgFolder(
    _ variable: String, below home: String, environment: [String: String]
  ) -> String? {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder }
    guard let folder = environment["HOME"], !folder.isEmpty else { return nil }
    return "\(folder)/\(home)"
  }

  /// The bytes of the file; empty when there is none.
  func read() -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return [] }
    defer { close(number) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case .bytes(let count) = FileDescriptor(number: number).read(into: &chunk) {
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Adds text at the end, in one write, so that two sessions do not mix their lines.
  func append(_ text: String) {
    write(text, to: path, O_APPEND)
  }

  /// Replaces what the file holds; whoever reads it sees the old or the new text, whole.
  func replace(with text: String) {
    let temporary = "\(path).\(getpid())"
    if write(text, to: temporary, O_TRUNC), rename(temporary, path) == 0 { return }
    unlink(temporary)
  }

  @discardableResult
  private func write(_ text: String, to path: String, _ flag: Int32) -> Bool {
    makeFolder()
    let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o600)
    guard number >= 0 else { return false }
    defer { close(number) }
    let bytes = Array(text.utf8)
    return FileDescriptor(number: number).write(bytes) == .bytes(bytes.count)
  }

  private func makeFolder() {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    // Losing the error is right here: the open that follows fails then, which is said above.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
