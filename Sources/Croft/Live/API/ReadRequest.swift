/// What a closure reads, as a request: a value that depends on nothing but the store.
///
/// ```swift
/// let token = store.observe(ReadRequest { tx in
///   [try tx.count(TodoItem.where { !$0.isDone }), try tx.count(TodoGroup.all)]
/// }, on: .main) { counts in
///   print("\(counts[0]) open items, \(counts[1]) groups")
/// }
/// ```
/// The closure reads one version of the store, so everything in a value belongs together. It runs again only
/// after a commit that changed a row that it read, or one that it would now read: each run records the keys,
/// conditions and columns that it reads. A value that equals the one before is not delivered. An error that
/// it throws ends the observation, except for passing errors such as too many open reads.
///
/// Threads: it runs on a queue of the store, which all observers share, so it should only read. The first time
/// of an immediate delivery it runs on the calling thread too.
public struct ReadRequest<Value: Equatable & Sendable>: StoreRequest {
  private let read: @Sendable (inout ReadTransaction) throws -> Value

  /// Makes a request of a closure.
  public init(_ read: @escaping @Sendable (inout ReadTransaction) throws -> Value) {
    self.read = read
  }

  /// How the value is observed.
  public var _target: _ObservationTarget<Value> {
    let read = read
    return _ObservationTarget(of: nil, isSame: ==) { LiveReading(isSame: ==, read) }
  }

  /// Runs the closure.
  public func _fetch(in transaction: inout ReadTransaction) throws -> Value {
    try read(&transaction)
  }
}
