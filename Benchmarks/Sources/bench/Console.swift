import Foundation

/// Standard output and standard error, whole texts at a time.
enum Console {
  case output, error

  /// Writes a text.
  ///
  /// - Throws: when the reader is gone.
  func write(_ text: String) throws {
    let handle: FileHandle
    switch self {
    case .output: handle = .standardOutput
    case .error: handle = .standardError
    }
    try handle.write(contentsOf: Data(text.utf8))
  }
}
