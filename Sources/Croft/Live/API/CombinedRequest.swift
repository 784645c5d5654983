/// Several requests that are fetched and observed together: all results are of one commit.
///
/// ```swift
/// let groups = TodoGroup.all.order(by: \.name)
/// let token = store.observe(CombinedRequest(groups, TodoItem.all.count), on: .main) { groups, count in
///   print("\(count) items in \(groups.after.count) groups")
/// }
/// ```
/// Two separate observers would get their changes one after the other, so that one query's new rows come
/// with the other's old ones for a moment. Here a change has one of each request; of one whose result is the
/// same, it has an empty change or the same value. Without requests there is one change.
///
/// - Complexity: That of each of the requests.
public struct CombinedRequest<each Request: StoreRequest>: StoreRequest {
  private let requests: (repeat each Request)

  /// Combines requests.
  public init(_ requests: repeat each Request) { self.requests = (repeat each requests) }

  /// How the requests are observed.
  public var _target: _ObservationTarget<(repeat (each Request).Change)> {
    let requests = requests
    return _ObservationTarget(repeat (each requests)._target)
  }

  /// The values after a change.
  public static func _value(
    after change: (repeat (each Request).Change)
  ) -> (repeat (each Request).Value) {
    (repeat (each Request)._value(after: each change))
  }

  /// Reads what is requested.
  public func _fetch(
    in transaction: inout ReadTransaction
  ) throws -> (repeat (each Request).Fetched) {
    (repeat try (each requests)._fetch(in: &transaction))
  }
}
