import Croft

/// A model of the swarm: it tells its properties.
protocol SwarmModel: Model where PrimaryKey: SwarmScalar {
  /// An object with some key, whose properties are then set one by one.
  init()
  static var fields: [any ModelField<Self>] { get }
  /// Its name for the swarm, which stays when the struct is renamed.
  static var name: String { get }
  /// The swarm's names of the properties in its index for searches.
  static var searched: [String] { get }
}

extension SwarmModel {
  static var name: String { "\(Self.self)" }
  static var searched: [String] { [] }
}

/// A property of a model, as a value and as a column.
protocol ModelField<M>: Sendable {
  associatedtype M: Model
  var name: String { get }
  var kind: Kind { get }
  /// The name of its type.
  var type: String { get }
  /// For a part of a struct: the property with the struct, and the part's place in it.
  var derived: (from: String, place: Int)? { get }
  /// For an expression: what it makes of the property that it is derived from.
  var calculation: (@Sendable (Value) -> Value)? { get }
  func get(_ object: M) -> Value
  func set(_ object: inout M, _ value: Value)
  func condition<R>(_ test: FieldTest, on root: QueryColumn<R, M>) -> QueryCondition<R>?
  func condition<N>(_ test: FieldTest, behind link: QueryColumn<N, Ref<M>>) -> QueryCondition<N>?
  func condition<N>(
    _ test: FieldTest, behindOptional link: QueryColumn<N, Ref<M>?>
  ) -> QueryCondition<N>?
  func condition<R>(
    _ comparison: Comparison, _ other: any ModelField<M>, on root: QueryColumn<R, M>
  ) -> QueryCondition<R>?
  func condition<N>(
    _ comparison: Comparison, _ other: any ModelField<M>, behind link: QueryColumn<N, Ref<M>>
  ) -> QueryCondition<N>?
  var sortKeys:
    (ascending: KeyPath<SortRoot<M>, SortKey>, descending: KeyPath<SortRoot<M>, SortKey>)?
  { get }
  func measure<T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, _ query: Query<M>, in transaction: inout T
  ) throws -> Value?
  /// The groups' keys and sizes.
  func groups<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, in transaction: inout T
  ) throws -> [(Value, Int)]?
  /// The sections' keys, with their objects.
  func sections<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, isDescending: Bool, in transaction: inout T
  ) throws -> [(Value, [M])]?
  /// Sets the property in all objects of a query.
  func setAll(_ query: Query<M>, to value: Value, in transaction: inout WriteTransaction) throws
    -> Int?
  func referrers<R, T: Model>(_ root: QueryColumn<R, T>) -> Referrers<R, M>
  /// The sectioned query by this property, observed.
  func observe(
    _ query: Query<M>, in store: Store, _ body: @escaping @Sendable (LiveStepOf<M>) -> Void
  ) -> ObservationToken?
}

/// A change of a live query, with or without sections.
struct LiveStepOf<M: Model>: Sendable {
  var sequence: UInt64
  var isInitial: Bool
  var before: [M]
  var after: [M]
  var deletions: [Int] = []
  var insertions: [Int] = []
  var modifications: [Int] = []
  var moves: [(from: Int, to: Int)] = []
  /// The sections' keys and sizes.
  var sections: [(Value, Int)]?
}

/// A plain stored property.
struct Property<M: SwarmModel, V: SwarmValue & Storable>: ModelField {
  let name: String
  // Key paths to stored properties never change.
  private nonisolated(unsafe) let path: WritableKeyPath<M, V>

  init(_ name: String, _ path: WritableKeyPath<M, V>) {
    self.name = name
    self.path = path
  }

  var kind: Kind { V.swarmKind }
  var type: String { "\(V.self)" }
  func get(_ object: M) -> Value { object[keyPath: path].swarm }
  func set(_ object: inout M, _ value: Value) { object[keyPath: path] = V(swarm: value) }

  func condition<R>(_ test: FieldTest, on root: QueryColumn<R, M>) -> QueryCondition<R>? {
    let column: QueryColumn<R, V> = root[dynamicMember: path]
    return V.condition(test, on: column)
  }

  func condition<N>(
    _ test: FieldTest, behind link: QueryColumn<N, Ref<M>>
  ) -> QueryCondition<N>? {
    let column: QueryColumn<N, V> = link[dynamicMember: path]
    return V.condition(test, on: column)
  }

  func condition<N>(
    _ test: FieldTest, behindOptional link: QueryColumn<N, Ref<M>?>
  ) -> QueryCondition<N>? {
    guard let type = V.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(_ type: S.Type) -> QueryCondition<N>? {
      guard let path = path as? KeyPath<M, S> else { return nil }
      let column: QueryColumn<N, S.Unwrapped?> = link[dynamicMember: path]
      return S.Unwrapped.condition(test, onOptional: column)
    }
    return open(type)
  }

  func condition<R>(
    _ comparison: Comparison, _ other: any ModelField<M>, on root: QueryColumn<R, M>
  ) -> QueryCondition<R>? {
    guard let other = other as? Property<M, V> else { return nil }
    let (left, right): (QueryColumn<R, V>, QueryColumn<R, V>) =
      (root[dynamicMember: path], root[dynamicMember: other.path])
    return V.condition(comparison, left, right)
  }

  func condition<N>(
    _ comparison: Comparison, _ other: any ModelField<M>, behind link: QueryColumn<N, Ref<M>>
  ) -> QueryCondition<N>? {
    guard let other = other as? Property<M, V> else { return nil }
    let (left, right): (QueryColumn<N, V>, QueryColumn<N, V>) =
      (link[dynamicMember: path], link[dynamicMember: other.path])
    return V.condition(comparison, left, right)
  }

  var sortKeys:
    (ascending: KeyPath<SortRoot<M>, SortKey>, descending: KeyPath<SortRoot<M>, SortKey>)?
  {
    guard let type = V.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(
      _ type: S.Type
    ) -> (ascending: KeyPath<SortRoot<M>, SortKey>, descending: KeyPath<SortRoot<M>, SortKey>)? {
      guard let path = path as? KeyPath<M, S> else { return nil }
      let key: KeyPath<SortRoot<M>, SortKey> = \SortRoot<M>.[dynamicMember: path]
      return (key, key.appending(path: \SortKey.descending))
    }
    return open(type)
  }

  func measure<T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, _ query: Query<M>, in transaction: inout T
  ) throws -> Value? {
    guard let type = V.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(_ type: S.Type, _ transaction: inout T) throws -> Value? {
      guard let path = path as? KeyPath<M, S> else { return nil }
      switch measure {
      case .count: return .int(Int64(try transaction.count(query)))
      case .min: return try transaction.fetch(query.min(path))?.swarm ?? .null
      case .max: return try transaction.fetch(query.max(path))?.swarm ?? .null
      case .sum, .average:
        return try S.Unwrapped.measure(measure, of: path, query, in: &transaction)
      }
    }
    return try open(type, &transaction)
  }

  func groups<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, in transaction: inout T
  ) throws -> [(Value, Int)]? {
    guard let type = V.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(_ type: S.Type, _ transaction: inout T) throws -> [(Value, Int)]? {
      guard let path = path as? KeyPath<M, S> else { return nil }
      return try transaction.fetch(query.grouped(by: path, .count)).map {
        ($0.key.swarm, $0.values)
      }
    }
    return try open(type, &transaction)
  }

  func sections<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, isDescending: Bool, in transaction: inout T
  ) throws -> [(Value, [M])]? {
    guard let type = V.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(_ type: S.Type, _ transaction: inout T) throws -> [(Value, [M])]? {
      guard let path = path as? KeyPath<M, S> else { return nil }
      return try transaction.fetch(query.sections(by: path, isDescending: isDescending))
        .map { ($0.key.swarm, $0.objects) }
    }
    return try open(type, &transaction)
  }

  func referrers<R, T: Model>(_ root: QueryColumn<R, T>) -> Referrers<R, M> {
    root.referrers(by: path)
  }

  func setAll(
    _ query: Query<M>, to value: Value, in transaction: inout WriteTransaction
  ) throws -> Int? {
    try transaction.update(query, set: path, to: V(swarm: value))
  }

  func observe(
    _ query: Query<M>, in store: Store, _ body: @escaping @Sendable (LiveStepOf<M>) -> Void
  ) -> ObservationToken? {
    guard let type = V.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(_ type: S.Type) -> ObservationToken? {
      guard let path = path as? KeyPath<M, S> else { return nil }
      return store.observe(query.sections(by: path)) { change in
        var step = LiveStepOf<M>(
          sequence: change.sequence, isInitial: change.isInitial,
          before: Array(change.before.objects), after: Array(change.after.objects))
        step.sections = change.after.map { ($0.key.swarm, $0.objects.count) }
        body(step)
      }
    }
    return open(type)
  }
}
