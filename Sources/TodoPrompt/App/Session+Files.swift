#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Files that commands read.
extension Session {
  /// The bytes of a file.
  ///
  /// - Parameter path: The file; nil for standard input, which must not be the script or a terminal.
  func bytes(ofFile path: String?) throws(CommandError) -> Data {
    if let path {
      var isFolder = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
        throw CommandError(.unreadable(path, "it is a folder"))
      }
      do {
        return try Data(contentsOf: URL(filePath: path))
      } catch {
        throw CommandError(.unreadable(path, FileReason.text(of: error)))
      }
    }
    guard let input = environment.dataInput, !(place.map { !$0.isOption } ?? false) else {
      throw CommandError(.noDataInput, .usage)
    }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch input.read(into: &chunk) {
      case .bytes(let count): data += chunk[..<count]
      case .closed: return data
      case .interrupted: throw CommandError(.cancelled, .interrupted)
      case .failed(let code):
        throw CommandError(.unreadable("-", FileDescriptor.reason(code: code)))
      }
    }
  }
}

/// Why a file cannot be read or written, in a few words.
enum FileReason {
  /// The words for an error of Foundation, whose own description is long and technical.
  static func text(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
    case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
    case .fileWriteOutOfSpace: "no space is left"
    case .fileWriteVolumeReadOnly: "the volume is read-only"
    default: "\(error)"
    }
  }
}

extension LocalizedText {
  fileprivate static func unreadable(_ path: String, _ reason: String) -> LocalizedText {
    LocalizedText(
      "\(path.visible) cannot be read: \(reason).", "\(path.visible)을(를) 읽을 수 없습니다: \(reason).")
  }

  fileprivate static let noDataInput = LocalizedText(
    "Name a file: standard input holds no file here.",
    "파일 이름을 쓰세요. 여기서는 표준 입력으로 파일을 받을 수 없습니다.")

  static let cancelled = LocalizedText("Cancelled; nothing was changed.", "취소했습니다. 바뀐 것은 없습니다.")
}
