/// Somebody who is told what became of something, as the hub sees it.
///
/// Threads: any.
protocol LiveObserver: AnyObject, Sendable {
  /// The observer's number, by which writes name it.
  var number: Int { get }
  /// Why nothing more will be told, where it failed.
  var error: (any Error)? { get }
  /// Tells nothing until ``release(through:)``: a commit is on its way that must come first.
  func hold(through sequence: UInt64)
  /// Ends a hold up to a commit, which was seen to.
  func release(through sequence: UInt64)
  /// Ends it, because what is observed cannot be read.
  func fail(_ error: any Error)
  /// Ends it; ending it again does nothing.
  func end()
}

/// An observer of something that has versions: a query's result, or a row.
protocol ValueObserver<Version>: LiveObserver {
  associatedtype Version: Sendable
  /// Takes a new version.
  func update(_ version: Version, _ sequence: UInt64)
  /// A change that the observer need not hear of leads from one version to another.
  func skip(from before: Version, to after: Version)
}
