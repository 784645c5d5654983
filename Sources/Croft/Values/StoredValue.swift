#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value as conditions, sort keys and error messages hold it.
public enum StoredValue: Hashable, Sendable {
  /// The absent value.
  case none
  /// A truth value.
  case bool(Bool)
  /// A signed integer of any width.
  case int(Int64)
  /// An unsigned integer of any width.
  case uint(UInt64)
  /// A Float or Double.
  case double(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// The 16 bytes of a UUID as two big-endian words.
  case uuid(UInt64, UInt64)
  /// A text; equal texts are canonically equivalent, as for `String`.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A decimal number; NaN equals itself.
  case decimal(Decimal)
  /// A collection's elements.
  ///
  /// An array's are in its order, a set's in key order; a dictionary's are its texts in key
  /// order, each followed by its value.
  case list([StoredValue])
}
