public import Croft
public import Reactive

/// Aggregates that commits keep up to date, as Croft's article on live queries says.
///
/// Each delivers in a task of the subscription's own. A slow subscriber receives only the latest
/// value.
extension RxStore {
  /// Emits the number of a query's objects, now and after each change.
  ///
  /// - Parameter query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model>(
    count query: Query<M>
  ) -> Observable<Int> {
    following(store.values(count: query))
  }

  /// Emits the sum of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    sum property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped.Sum> where V.Unwrapped: Summable {
    following(store.values(sum: property, of: query))
  }

  /// Emits the sum of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    sum expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped.Sum> where V.Unwrapped: Summable {
    following(store.values(sum: expression, of: query))
  }

  /// Emits the average of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    average property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<Double?> where V.Unwrapped: Summable {
    following(store.values(average: property, of: query))
  }

  /// Emits the average of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Storable>(
    average expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<Double?> where V.Unwrapped: Summable {
    following(store.values(average: expression, of: query))
  }

  /// Emits the smallest value of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    min property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(min: property, of: query))
  }

  /// Emits the smallest value of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    min expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(min: expression, of: query))
  }

  /// Emits the greatest value of a property of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - property: The property's key path.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    max property: KeyPath<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(max: property, of: query))
  }

  /// Emits the greatest value of an expression of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - expression: Makes the expression from the model's columns.
  ///   - query: The query; its offset and limit apply.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the value
  ///   cannot be computed.
  /// - Complexity: O(log *n*) for each changed object of the query.
  public func values<M: Model, V: Ordered>(
    max expression: (Column<M, M>) -> Column<M, V>, of query: Query<M>
  ) -> Observable<V.Unwrapped?> {
    following(store.values(max: expression, of: query))
  }

  /// Emits the groups of a query's objects, now and after each change.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - property: The property; objects whose value is nil form a group too.
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

  /// Emits a query's objects grouped by expressions, now and after each change.
  ///
  /// - Parameters:
  ///   - query: The query; its offset and limit apply.
  ///   - columns: Returns a column of the model, an expression, or a tuple of several.
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
