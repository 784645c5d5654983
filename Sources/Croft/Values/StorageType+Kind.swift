extension StorageType {
  /// The kinds of bytes that a row can hold.
  ///
  /// The raw value is what the catalog keeps: a case may be added, never renamed.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// One byte, 0 or 1.
    case bool
    /// Signed integers, little-endian two's complement.
    case int8, int16, int32, int64
    /// Unsigned integers, little-endian.
    case uint8, uint16, uint32, uint64
    /// IEEE 754 binary32, little-endian.
    case float
    /// IEEE 754 binary64, little-endian.
    case double
    /// Seconds since 2001-01-01 00:00 UTC, stored as a `double`.
    case date
    /// The 16 bytes of a UUID, in the order of its text.
    case uuid
    /// UTF-8 bytes, exactly as the user gave them.
    case string
    /// Bytes.
    case data
    /// A decimal number, stored as its key code.
    case decimal
    /// A value of any Codable type, as JSON.
    case coded
    /// A primary key of several properties, as its key code.
    case compound

    /// The bytes in the fixed-width area, or 0 for a kind of variable length.
    @inlinable
    public var width: Int {
      switch self {
      case .bool, .int8, .uint8: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float: 4
      case .int64, .uint64, .double, .date: 8
      case .uuid: 16
      case .string, .data, .decimal, .coded, .compound: 0
      }
    }

    /// The bytes of its key code, or `nil` for a kind whose code has variable length.
    var keyWidth: Int? {
      switch self {
      case .bool: 1
      case .float: 4
      case .uuid: 16
      case .string, .data, .decimal, .coded, .compound: nil
      default: 8
      }
    }

    /// Whether an index may keep only the first bytes of a value's code.
    var canBeCut: Bool { self == .string || self == .data || self == .coded }
  }
}
