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

  /// Writes a whole file under another name, and renames it; of a link, the file that it leads to is replaced.
  ///
  /// - Parameter refusal: The error where there is such a file; nil to replace it.
  func write(_ data: Data, toFile path: String, unlessExists refusal: LocalizedText?) throws {
    let file = URL(filePath: path).resolvingSymlinksInPath()
    if let type = FileKey(file.path)?.type {
      if type == .typeSymbolicLink, !FileManager.default.fileExists(atPath: path) {
        throw CommandError(.leadsNowhere(path))
      }
      // A device or a pipe would be replaced by a file, too.
      if type != .typeRegular, type != .typeDirectory { throw CommandError(.noRegularFile(path)) }
      if let refusal { throw CommandError(refusal) }
      try refuseList(path)
    } else if FileManager.default.fileExists(atPath: path) {
      // A pipe of this process, such as /dev/fd/63, is a link to a file without a path.
      throw CommandError(.noRegularFile(path))
    }
    do {
      try data.write(to: file, options: .atomic)
    } catch {
      throw CommandError(.notWritten(path, error))
    }
  }

  /// Throws where a file that is to be replaced is the open list, or one of the files that belong to it.
  func refuseList(_ path: String) throws {
    guard let key = FileKey(path) else { return }
    // They are beside the file that a link leads to.
    let list = URL(filePath: try storePath()).resolvingSymlinksInPath().path
    if ["", "-journal", "-lock"].contains(where: { FileKey(list + $0) == key }) {
      throw CommandError(.isList(path))
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

/// Which file a path leads to, by whatever name.
private struct FileKey: Equatable {
  let type: FileAttributeType?
  private let device: String?
  private let number: String?

  /// The file at a path, where there is one that can be looked at.
  init?(_ path: String) {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    // What cannot be looked at cannot be replaced either, and that is an error.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
      return nil
    }
    type = attributes[.type] as? FileAttributeType
    device = attributes[.systemNumber].map { "\($0)" }
    number = attributes[.systemFileNumber].map { "\($0)" }
  }
}

extension LocalizedText {
  fileprivate static func isList(_ path: String) -> LocalizedText {
    LocalizedText(
      "\(path.visible) belongs to the list itself. Use another name.",
      "\(path.visible) 파일은 지금 목록의 것입니다. 다른 이름을 쓰세요.")
  }

  fileprivate static func leadsNowhere(_ path: String) -> LocalizedText {
    LocalizedText(
      "\(path.visible) is a link to a file that does not exist. Remove the link, or name the file.",
      "\(path.visible) 링크가 가리키는 파일이 없습니다. 링크를 지우거나 그 파일 이름을 쓰세요.")
  }

  fileprivate static func noRegularFile(_ path: String) -> LocalizedText {
    LocalizedText(
      "\(path.visible) is a device or a pipe. Use another name, or write to standard output.",
      "\(path.visible) 파일은 장치나 파이프입니다. 다른 이름을 쓰거나 표준 출력을 쓰세요.")
  }

  /// - Parameter path: A file; `-` for standard input.
  static func unreadable(_ path: String, _ reason: LocalizedText) -> LocalizedText {
    LocalizedText(
      "\(path.visible) cannot be read: \(reason.english).",
      "\(path.visible.with(.object)) 읽을 수 없습니다: \(reason.korean).")
  }

  static let cancelled = LocalizedText("Cancelled; nothing was changed.", "취소했습니다. 바뀐 것은 없습니다.")
}
