import Foundation

/// With which server a list is shared, in a file beside the list; it has no password.
struct SyncSettings: Codable, Equatable {
  var address: String
  var space: UUID
  /// The file that has the password; nil for one that libpq finds, or that is asked for.
  var passwordFile: String?
  /// Whether a connection may be without TLS.
  var isInsecure = false
  /// When the list was last the same as on the server; nil for never.
  var lastTime: Date?

  private static func file(of list: String) -> URL { URL(filePath: list + ".sync") }

  /// The settings of a list; nil for one that is not shared.
  init?(of list: String) throws {
    let file = Self.file(of: list)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }

  init(address: String, space: UUID, passwordFile: String?, isInsecure: Bool) {
    (self.address, self.space) = (address, space)
    (self.passwordFile, self.isInsecure) = (passwordFile, isInsecure)
  }

  /// Writes them, so that nobody else can read where the list is.
  func write(for list: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let file = Self.file(of: list)
    try encoder.encode(self).write(to: file, options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }

  static func remove(of list: String) throws {
    try FileManager.default.removeItem(at: file(of: list))
  }
}
