#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
/// Where the pictures of groups come from.
///
/// A picture that cannot be had is an error and changes nothing: whoever asked keeps the
/// picture there was.
public protocol ImageSource: Sendable {
  /// A picture for a group.
  ///
  /// - Throws: ``TodoError/noImage(_:)`` with the reason; `CancellationError`.
  func image(for groupID: UUID) async throws -> GroupImage
}
