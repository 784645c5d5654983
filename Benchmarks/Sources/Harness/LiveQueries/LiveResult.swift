/// What an observer was given, as the harness compares it.
package enum LiveResult: Sendable, Hashable {
  /// The objects of a query, in its order.
  case objects([Item])
  /// An aggregate's number; of groups, the key and the number of each.
  case numbers([Int])
}
