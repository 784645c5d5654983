import CroftFoundation
import CroftLibc
import LineEditing
import TodoFormats

/// Files that commands read.
extension Session {
  /// Reads all bytes of a file, a pipe or standard input.
  ///
  /// - Parameter path: The file; nil for standard input, which must not be the script or a terminal.
  func bytes(ofFile path: String?) throws -> Data {
    if let path {
      let file: FileDescriptor
      do throws(FileDescriptor.Failure) {
        file = try FileDescriptor.opening(path)
      } catch {
        // A ^C while the other end of a pipe is awaited.
        if error.code == EINTR { throw CommandError(.cancelled, .interrupted) }
        throw CommandError(.unreadable(path, FileReason.text(code: error.code)))
      }
      defer { file.close() }
      return try Self.bytes(of: path) { file.read(into: &$0) }
    }
    guard let input = environment.dataInput, !(place.map { !$0.isOption } ?? false) else {
      throw CommandError(
        "Name a file: standard input holds no file here.",
        "파일 이름을 쓰세요. 여기서는 표준 입력으로 파일을 받을 수 없습니다.", .usage)
    }
    return try Self.bytes(of: "-") { input.read(into: &$0) }
  }

  /// Writes a whole file under another name, and renames it.
  ///
  /// - Parameter refusal: The error where there is such a file; nil to replace it.
  func write(_ data: Data, toFile path: String, unlessExists refusal: LocalizedText?) throws {
    if let refusal, FileManager.default.fileExists(atPath: path) { throw CommandError(refusal) }
    do {
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw CommandError(.notWritten(path, error))
    }
  }

  /// The step in which a file system counts times, at most; those of its own clock are a little late.
  private static let timeStep = 0.02

  /// The time by which a file was written last; nil for a pipe.
  func modificationTime(ofFile path: String) -> Date? {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    // A file whose time cannot be read is one of unknown age.
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    let written = attributes?[.modificationDate] as? Date
    return written?.addingTimeInterval(Self.timeStep)
  }

  private static func bytes(
    of name: String, read: (inout [UInt8]) -> FileDescriptor.Outcome
  ) throws -> Data {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch read(&chunk) {
      case .bytes(let count): data += chunk[..<count]
      case .closed: return data
      case .interrupted: throw CommandError(.cancelled, .interrupted)
      case .failed(let code):
        throw CommandError(.unreadable(name, FileReason.text(code: code)))
      }
    }
  }
}

extension LocalizedText {
  /// - Parameter path: A file; `-` for standard input.
  static func unreadable(_ path: String, _ reason: LocalizedText) -> LocalizedText {
    LocalizedText(
      "\(path.visible) cannot be read: \(reason.english).",
      "\(path.visible.with(.object)) 읽을 수 없습니다: \(reason.korean).")
  }

  static let cancelled = LocalizedText("Cancelled; nothing was changed.", "취소했습니다. 바뀐 것은 없습니다.")
}
