/// How far a copy of a store is.
public struct CopyProgress: Sendable, Hashable {
  /// The bytes that are written to the new file.
  public let bytesCopied: Int
  /// The bytes of the file that is copied; a compacted copy may have fewer.
  public let bytes: Int
}
