import Croft

/// An expression over one property, which is asked for and never set.
struct Calculated<M: SwarmModel, W: SwarmScalar>: ModelField {
  let name: String
  let derived: (from: String, place: Int)?
  let calculation: (@Sendable (Value) -> Value)?
  private let column: @Sendable (QueryColumn<M, M>) -> QueryColumn<M, W>

  /// - Parameters:
  ///   - name: The expression's name.
  ///   - property: The property's name.
  ///   - column: The expression.
  ///   - calculation: The same for the twin.
  init(
    _ name: String, of property: String,
    _ column: @escaping @Sendable (QueryColumn<M, M>) -> QueryColumn<M, W>,
    _ calculation: @escaping @Sendable (Value) -> Value
  ) {
    self.name = name
    derived = (property, 0)
    self.column = column
    self.calculation = calculation
  }

  var kind: Kind { W.swarmKind }
  var type: String { "\(name): \(W.self)" }
  func get(_ object: M) -> Value { .null }
  func set(_ object: inout M, _ value: Value) {}

  /// Expressions are of the query's own model, which is the root of most conditions.
  func condition<R>(_ test: FieldTest, on root: QueryColumn<R, M>) -> QueryCondition<R>? {
    guard let root = root as? QueryColumn<M, M> else { return nil }
    return W.condition(test, on: column(root)) as? QueryCondition<R>
  }

  func groups<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, in transaction: inout T
  ) throws -> [(Value, Int)]? {
    try transaction.fetch(query.grouped(by: { column($0) }, .count)).map {
      ($0.key.swarm, $0.values)
    }
  }

  func sections<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, isDescending: Bool, in transaction: inout T
  ) throws -> [(Value, [M])]? {
    try transaction.sections(query, by: { column($0) }, isDescending: isDescending)
      .map { ($0.key.swarm, $0.objects) }
  }
}
