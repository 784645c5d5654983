/// The values that a change leads between: one for each computation.
struct LiveStep: Sendable {
  let sequence: UInt64
  /// The values that were delivered last; nil at first.
  var before: [any Sendable]?
  var after: [any Sendable]

  /// The values of one computation that a change leads between.
  struct One<Value> {
    let sequence: UInt64
    /// The value that was delivered last; nil at first.
    let before: Value?
    let after: Value
  }
}
