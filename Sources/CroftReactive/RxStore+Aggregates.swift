public import Croft
public import Reactive

/// Aggregates that commits keep up to date, as Croft's article on live queries says.
///
/// Each delivers in a task of the subscription's own. A slow subscriber receives only the latest
/// value.
extension RxStore {
  /// How many objects a query has, and again when it has changed.
  ///
  /// - Parameter query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model>(
    count query: Query<M>
  ) -> Observable<Int> {
    following(store.values(count: query))
  }

  /// The sum of a property of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    sum property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped.Sum> where V.Unwrapped: Summable {
    following(store.values(sum: property, of: query))
  }

  /// The sum of an expression of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - expression: Given the model's columns, the expression.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    sum expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped.Sum> where V.Unwrapped: Summable {
    following(store.values(sum: expression, of: query))
  }

  /// The average of a property of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    average property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<Double?> where V.Unwrapped: Summable {
    following(store.values(average: property, of: query))
  }

  /// The average of an expression of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - expression: Given the model's columns, the expression.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    average expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<Double?> where V.Unwrapped: Summable {
    following(store.values(average: expression, of: query))
  }

  /// The smallest value of a property of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    min property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(min: property, of: query))
  }

  /// The smallest value of an expression of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - expression: Given the model's columns, the expression.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    min expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(min: expression, of: query))
  }

  /// The greatest value of a property of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    max property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(max: property, of: query))
  }

  /// The greatest value of an expression of a query's objects, and again when it has changed.
  ///
  /// - Parameters:
  ///   - expression: Given the model's columns, the expression.
  ///   - query: The query; its offset and limit count too.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    max expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(max: expression, of: query))
  }

  /// The groups of a query's objects, and again when they have changed.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit count too.
  ///   - property: The property; nil is a value of its own.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: The groups by their keys, ascending. It never completes, and fails when a value cannot be
  ///   computed.
  /// - Complexity: O(log *n*) for each changed object of the query, and O(*g*) for *g* groups.
  public func values<M: Model, Key: Ordered, each Value: Sendable>(
    group query: Query<M>, by property: KeyPath<M, Key>,
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) -> Observable<[ResultGroup<Key, (repeat each Value)>]> {
    following(store.values(group: query, by: property, repeat each aggregates))
  }

  /// The groups of a query by expressions, and again when they have changed.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit count too.
  ///   - columns: Given the model's columns, one property or expression, or a tuple of some.
  ///   - aggregates: The aggregates of each group.
  /// - Returns: The groups by their keys, ascending. It never completes, and fails when a value cannot be
  ///   computed.
  /// - Complexity: O(log *n*) for each changed object of the query, and O(*g*) for *g* groups.
  public func values<M: Model, each Key: Ordered, each Value: Sendable>(
    group query: Query<M>, by columns: (Column<M, M>) -> (repeat Column<M, each Key>),
    _ aggregates: repeat AggregateMaker<M, each Value>
  ) -> Observable<[ResultGroup<(repeat each Key), (repeat each Value)>]> {
    following(store.values(group: query, by: columns, repeat each aggregates))
  }
}
