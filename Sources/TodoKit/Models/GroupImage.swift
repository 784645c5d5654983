public import Croft
public import CroftFoundation

/// A picture: its bytes, unchanged, and their type.
@Embedded
public struct GroupImage: Hashable, Codable, Sendable {
  /// The bytes of the picture's file.
  public var bytes: Data
  /// The media type of the file, such as `image/png`.
  public var mimeType: String

  /// Makes a picture of a file's bytes.
  public init(bytes: Data, mimeType: String) {
    self.bytes = bytes
    self.mimeType = mimeType
  }
}

extension GroupImage {
  /// What tells the picture from others of the same group.
  public var mark: PictureMark { PictureMark(of: self) }
}

/// The kinds of pictures that are stored.
public enum ImageKind: String, CaseIterable, Sendable {
  /// Portable Network Graphics.
  case png = "image/png"
  /// JPEG, the usual kind of photographs.
  case jpeg = "image/jpeg"
  /// Graphics Interchange Format, which may be animated.
  case gif = "image/gif"
  /// WebP, a kind made for web pages.
  case webp = "image/webp"
  /// SVG drawings, which this module makes; none is fetched, because they can contain scripts.
  case svg = "image/svg+xml"

  /// The kind of a picture by its first bytes; nil for SVG drawings and for all other bytes.
  public init?(of bytes: Data) {
    let head = Array(bytes.prefix(12))
    switch head {
    case _ where head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): self = .png
    case _ where head.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
    case _ where head.starts(with: Array("GIF87a".utf8)): self = .gif
    case _ where head.starts(with: Array("GIF89a".utf8)): self = .gif
    case _ where head.starts(with: Array("RIFF".utf8)) && head.suffix(4) == Array("WEBP".utf8)[...]:
      self = .webp
    default: return nil
    }
  }
}
