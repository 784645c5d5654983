#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The order of two byte strings of one length; the corresponding C function is `memcmp`.
@inline(__always)
func compareBytes(
  _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int
) -> Int32 {
  // Safety: both hold as many bytes as the caller says.
  unsafe memcmp(left, right, count)
}
