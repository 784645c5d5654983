import Foundation

/// The folder of one running server: where it listens, which file it shows, and the links to it.
///
/// A link is a file whose name is its token. Another program of the same user makes one by making the file;
/// the server takes it by deleting the file, so that each link opens one browser. A lock on the file
/// `server` says that the server runs: the system releases it when the process ends, however it ends.
///
/// Threads: any.
final class ServerFolder: Sendable {
  private let path: String
  private let lock: Int32

  /// Makes the folder of a server that starts, and locks it.
  ///
  /// - Parameter parent: The folder of all servers of this user; it is made if it is missing.
  /// - Throws: An error of the system where there can be no such folder.
  init(in parent: String) throws {
    path = parent + "/" + Secret.random()
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    lock = open(path + "/" + Self.lockName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw POSIXError.last }
  }

  /// Says where the server listens, and which file it shows.
  ///
  /// - Throws: An error of the system where that cannot be written.
  func announce(host: String, file: String) throws {
    let text = "\(host)\n\(Self.absolute(file))\n"
    let written = write(lock, text, text.utf8.count)
    // A part of it is written where the disk becomes full meanwhile.
    guard written == text.utf8.count else { throw written < 0 ? .last : POSIXError(.ENOSPC) }
  }

  /// Removes the folder, with the links that nobody has opened.
  deinit {
    // One that stays is removed by the next program that looks for servers.
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
  }

  /// Makes a link.
  ///
  /// - Returns: Its token.
  func makeLink() throws -> String { try Self.makeLink(in: path) }

  /// Takes a link, which is then used.
  ///
  /// - Returns: Whether there was such a link.
  func takeLink(_ token: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    guard let name = names.first(where: { token.isSameSecret(as: $0) }), name != Self.lockName
    else { return false }
    // Of two browsers with one link, the first to delete the file has it.
    return unlink(path + "/" + name) == 0
  }

  /// Makes a link to the server that shows a file.
  ///
  /// - Returns: The address to open; nil where no server shows the file.
  static func link(to file: String, in parent: String) throws -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names.sorted() {
      let folder = parent + "/" + name
      guard let server = runningServer(in: folder), server.file == absolute(file) else { continue }
      return address(host: server.host, token: try makeLink(in: folder))
    }
    return nil
  }

  /// The address that a person opens.
  static func address(host: String, token: String) -> String { "http://\(host)/?token=\(token)" }

  /// The server of a folder; a folder whose server has ended without removing it is removed.
  private static func runningServer(in folder: String) -> (host: String, file: String)? {
    let lockFile = folder + "/" + lockName
    let descriptor = open(lockFile, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // The error is ignored: a folder that cannot be read is not one of a server of this user.
    guard let text = try? String(contentsOfFile: lockFile, encoding: .utf8), !text.isEmpty
    else { return nil }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
      // The error is ignored: the next program that looks for servers tries it again.
      try? FileManager.default.removeItem(atPath: folder)
      return nil
    }
    let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
    return lines.count == 2 ? (lines[0], String(lines[1].dropLast())) : nil
  }

  private static let lockName = "server"

  private static func makeLink(in folder: String) throws -> String {
    let token = Secret.random()
    let descriptor = open("\(folder)/\(token)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.last }
    close(descriptor)
    return token
  }

  /// A path without links, so that two names of one file are the same.
  static func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}

extension POSIXError {
  /// The error of the last call of the system that failed.
  fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
