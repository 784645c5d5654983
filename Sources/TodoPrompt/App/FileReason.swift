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

/// The reason why a file cannot be read or written, in a few words.
enum FileReason {
  /// The words for an error of Foundation, whose own description is long and technical.
  static func text(of error: any Error) -> LocalizedText {
    guard let error = error as? CocoaError else { return LocalizedText("\(error)", "\(error)") }
    if let cause = error.underlying as? POSIXError { return text(ofCode: cause.code.rawValue) }
    switch error.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: return text(ofCode: ENOENT)
    case .fileReadNoPermission, .fileWriteNoPermission: return text(ofCode: EACCES)
    case .fileWriteOutOfSpace: return text(ofCode: ENOSPC)
    case .fileWriteVolumeReadOnly: return text(ofCode: EROFS)
    default: return LocalizedText("\(error)", "\(error)")
    }
  }

  /// The words for an error code of the system.
  static func text(ofCode code: Int32) -> LocalizedText {
    switch code {
    case ENOENT: LocalizedText("there is no such file", "그런 파일이 없습니다")
    case EACCES, EPERM: LocalizedText("permission denied", "권한이 없습니다")
    case EISDIR: LocalizedText("it is a folder", "폴더입니다")
    case ENOTDIR: LocalizedText("a part of the path is not a folder", "경로의 일부가 폴더가 아닙니다")
    case ENOSPC: LocalizedText("no space is left", "남은 공간이 없습니다")
    case EROFS: LocalizedText("the volume is read-only", "읽기 전용 볼륨입니다")
    default:
      // The system's own words, which are English.
      LocalizedText(FileDescriptor.reason(code: code), FileDescriptor.reason(code: code))
    }
  }
}
