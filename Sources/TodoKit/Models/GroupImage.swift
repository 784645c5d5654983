public import Croft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A picture as it came: its bytes and what they are.
@Embedded
public struct GroupImage: Hashable, Codable, Sendable {
  /// The bytes of the picture's file.
  public var bytes: Data
  /// What kind of file it is, such as `image/png`.
  public var mimeType: String

  /// Makes a picture of a file's bytes.
  public init(bytes: Data, mimeType: String) {
    self.bytes = bytes
    self.mimeType = mimeType
  }
}
