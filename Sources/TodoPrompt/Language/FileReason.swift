import CroftFoundation
import CroftLibc

/// Why a file or a stream cannot be read or written, in a few words.
enum FileReason {
  /// The words for an error code of the system; its own, in English, for a rare one.
  static func text(code: Int32) -> LocalizedText {
    switch code {
    case ENOENT: LocalizedText("there is no such file", "그런 파일이 없습니다")
    case EACCES, EPERM: LocalizedText("permission denied", "권한이 없습니다")
    case EISDIR: LocalizedText("it is a folder", "폴더입니다")
    case ENOTDIR: LocalizedText("a part of its path is not a folder", "경로의 일부가 폴더가 아닙니다")
    case EEXIST: LocalizedText("a file with that name exists", "같은 이름의 파일이 있습니다")
    case ENOSPC: LocalizedText("no space is left", "남은 공간이 없습니다")
    case EDQUOT: LocalizedText("the quota is used up", "할당량을 다 썼습니다")
    case EFBIG: LocalizedText("the file is too large", "파일이 너무 큽니다")
    case EROFS: LocalizedText("the volume is read-only", "읽기 전용 볼륨입니다")
    case EIO: LocalizedText("the device failed", "장치 오류입니다")
    case EBADF: LocalizedText("it is closed", "닫혀 있습니다")
    case EPIPE: LocalizedText("its reader has left", "읽는 쪽이 끝났습니다")
    case ELOOP: LocalizedText("its links form a loop", "링크가 돌고 돕니다")
    case ENAMETOOLONG: LocalizedText("the name is too long", "이름이 너무 깁니다")
    case EMFILE, ENFILE: LocalizedText("too many files are open", "열린 파일이 너무 많습니다")
    default:
      LocalizedText(String(cString: strerror(code)), String(cString: strerror(code)))
    }
  }

  /// The words for a file that is in no folder.
  static let noFolder = LocalizedText(
    "its folder does not exist; make it first", "폴더가 없습니다. 먼저 만드세요")

  /// The words for an error of Foundation, whose own description is long and technical.
  static func text(of error: any Error) -> LocalizedText {
    if let code = code(of: error) { return text(code: code) }
    let code = (error as? CocoaError).map { "error \($0.code.rawValue)" } ?? "\(error)"
    return LocalizedText(code, code)
  }

  /// The system's code of an error of Foundation; nil for one that has another cause.
  static func code(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    guard let error = error as? CocoaError else { return nil }
    if let cause = error.underlying as? POSIXError { return cause.code.rawValue }
    return switch error.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: EACCES
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteVolumeReadOnly: EROFS
    case .fileWriteFileExists: EEXIST
    default: nil
    }
  }
}
