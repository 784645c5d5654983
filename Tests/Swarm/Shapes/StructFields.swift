import Croft

// Properties that are read and written as a whole, and parts of structs, which are asked for.

extension ModelField {
  var derived: (from: String, place: Int)? { nil }
  var calculation: (@Sendable (Value) -> Value)? { nil }
  func condition<R>(_ test: FieldTest, on root: QueryColumn<R, M>) -> QueryCondition<R>? { nil }
  func condition<N>(_ test: FieldTest, behind link: QueryColumn<N, Ref<M>>) -> QueryCondition<N>? {
    nil
  }
  func condition<N>(_ test: FieldTest, behindOptional link: QueryColumn<N, Ref<M>?>)
    -> QueryCondition<N>?
  {
    nil
  }
  func condition<R>(
    _ comparison: Comparison, _ other: any ModelField<M>, on root: QueryColumn<R, M>
  ) -> QueryCondition<R>? { nil }
  func condition<N>(
    _ comparison: Comparison, _ other: any ModelField<M>, behind link: QueryColumn<N, Ref<M>>
  ) -> QueryCondition<N>? { nil }
  var sortKeys:
    (ascending: KeyPath<SortRoot<M>, SortKey>, descending: KeyPath<SortRoot<M>, SortKey>)?
  { nil }
  func measure<T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, _ query: Query<M>, in transaction: inout T
  ) throws -> Value? { nil }
  func groups<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, in transaction: inout T
  ) throws -> [(Value, Int)]? { nil }
  func sections<T: ReadableTransaction & ~Copyable>(
    _ query: Query<M>, isDescending: Bool, in transaction: inout T
  ) throws -> [(Value, [M])]? { nil }
  func setAll(
    _ query: Query<M>, to value: Value, in transaction: inout WriteTransaction
  ) throws -> Int? {
    preconditionFailure("\(name) is set object by object.")
  }
  func referrers<R, T: Model>(_ root: QueryColumn<R, T>) -> Referrers<R, M> {
    preconditionFailure("\(name) is no reference.")
  }
  func observe(
    _ query: Query<M>, in store: Store, _ body: @escaping @Sendable (LiveStepOf<M>) -> Void
  ) -> ObservationToken? { nil }
}

/// A value that is stored as JSON.
struct CodedProperty<M: SwarmModel, V: SwarmCoded>: ModelField {
  let name: String
  // Key paths to stored properties never change.
  private nonisolated(unsafe) let path: WritableKeyPath<M, V>

  init(_ name: String, _ path: WritableKeyPath<M, V>) {
    self.name = name
    self.path = path
  }

  var kind: Kind { V.codedKind }
  var type: String { "\(V.self)" }
  func get(_ object: M) -> Value { object[keyPath: path].coded }
  func set(_ object: inout M, _ value: Value) { object[keyPath: path] = V(coded: value) }
}

/// A type that the swarm stores as JSON.
protocol SwarmCoded: Codable, Sendable {
  static var codedKind: Kind { get }
  init(coded value: Value)
  var coded: Value { get }
}

extension [Int]: SwarmCoded {
  static var codedKind: Kind { .coded }
  init(coded value: Value) { self = [Int](swarm: value) }
  var coded: Value { swarm }
}

extension [Int]?: SwarmCoded {
  static var codedKind: Kind { .optional(.coded) }
  init(coded value: Value) { self = value == .null ? nil : [Int](swarm: value) }
  var coded: Value { self?.swarm ?? .null }
}

/// A struct of the swarm, which is a part of models.
protocol SwarmStruct: Embedded where Unwrapped == Self {
  static var kinds: [Kind] { get }
  init(parts: [Value])
  var parts: [Value] { get }
}

/// A struct that is always there.
struct Whole<M: SwarmModel, E: SwarmStruct>: ModelField {
  let name: String
  // Key paths to stored properties never change.
  private nonisolated(unsafe) let path: WritableKeyPath<M, E>

  init(_ name: String, _ path: WritableKeyPath<M, E>) {
    self.name = name
    self.path = path
  }

  var kind: Kind { .structure(E.kinds) }
  var type: String { "\(E.self)" }
  func get(_ object: M) -> Value { .parts(object[keyPath: path].parts) }
  func set(_ object: inout M, _ value: Value) {
    guard case .parts(let parts) = value else { preconditionFailure("\(value) is no struct.") }
    object[keyPath: path] = E(parts: parts)
  }
}

/// A struct that may be absent.
struct MaybeWhole<M: SwarmModel, E: SwarmStruct>: ModelField {
  let name: String
  // Key paths to stored properties never change.
  private nonisolated(unsafe) let path: WritableKeyPath<M, E?>

  init(_ name: String, _ path: WritableKeyPath<M, E?>) {
    self.name = name
    self.path = path
  }

  var kind: Kind { .optional(.structure(E.kinds)) }
  var type: String { "\(E?.self)" }
  func get(_ object: M) -> Value { object[keyPath: path].map { .parts($0.parts) } ?? .null }
  func set(_ object: inout M, _ value: Value) {
    if case .parts(let parts) = value {
      object[keyPath: path] = E(parts: parts)
    } else {
      object[keyPath: path] = nil
    }
  }

  func condition<R>(_ test: FieldTest, on root: QueryColumn<R, M>) -> QueryCondition<R>? {
    guard case .isNil = test else { return nil }
    let column: QueryColumn<R, E?> = root[dynamicMember: path]
    return column.isNil
  }
}

/// A property of a struct that is always there.
struct Inner<M: SwarmModel, E: SwarmStruct, V: SwarmScalar & Storable>: ModelField {
  let name: String
  let derived: (from: String, place: Int)?
  // Key paths to stored properties never change.
  private nonisolated(unsafe) let path: KeyPath<M, E>
  private nonisolated(unsafe) let inner: KeyPath<E, V>

  init(_ from: String, _ path: KeyPath<M, E>, _ part: String, _ place: Int, _ inner: KeyPath<E, V>)
  {
    name = from + "." + part
    derived = (from, place)
    self.path = path
    self.inner = inner
  }

  var kind: Kind { V.swarmKind }
  var type: String { "\(V.self)" }
  func get(_ object: M) -> Value { object[keyPath: path][keyPath: inner].swarm }
  func set(_ object: inout M, _ value: Value) {}

  private func column<R>(_ root: QueryColumn<R, M>) -> QueryColumn<R, V> {
    let outer: QueryColumn<R, E> = root[dynamicMember: path]
    return outer[dynamicMember: inner]
  }

  func condition<R>(_ test: FieldTest, on root: QueryColumn<R, M>) -> QueryCondition<R>? {
    V.condition(test, on: column(root))
  }

  func condition<R>(
    _ comparison: Comparison, _ other: any ModelField<M>, on root: QueryColumn<R, M>
  ) -> QueryCondition<R>? {
    guard let other = other as? Inner<M, E, V> else { return nil }
    return V.condition(comparison, column(root), other.column(root))
  }

  func condition<N>(_ test: FieldTest, behind link: QueryColumn<N, Ref<M>>) -> QueryCondition<N>? {
    let outer: QueryColumn<N, E> = link[dynamicMember: path]
    return V.condition(test, on: outer[dynamicMember: inner])
  }

  var sortKeys:
    (ascending: KeyPath<SortRoot<M>, SortKey>, descending: KeyPath<SortRoot<M>, SortKey>)?
  {
    let outer: KeyPath<SortRoot<M>, SortPath<E>> = \SortRoot<M>.[dynamicMember: path]
    let key = outer.appending(path: \SortPath<E>.[dynamicMember: inner])
    return (key, key.appending(path: \SortKey.descending))
  }
}

/// A property of a struct that may be absent, and then is nil itself.
struct MaybeInner<M: SwarmModel, E: SwarmStruct, V: SwarmScalar & Storable>: ModelField
where V.Unwrapped: SwarmScalar & Storable, V.Unwrapped.Unwrapped == V.Unwrapped {
  let name: String
  let derived: (from: String, place: Int)?
  // Key paths to stored properties never change.
  private nonisolated(unsafe) let path: KeyPath<M, E?>
  private nonisolated(unsafe) let inner: KeyPath<E, V>

  init(_ from: String, _ path: KeyPath<M, E?>, _ part: String, _ place: Int, _ inner: KeyPath<E, V>)
  {
    name = from + "." + part
    derived = (from, place)
    self.path = path
    self.inner = inner
  }

  var kind: Kind { .optional(V.Unwrapped.swarmKind) }
  var type: String { "\(V.Unwrapped?.self)" }
  func get(_ object: M) -> Value { object[keyPath: path].map { $0[keyPath: inner].swarm } ?? .null }
  func set(_ object: inout M, _ value: Value) {}

  func condition<R>(_ test: FieldTest, on root: QueryColumn<R, M>) -> QueryCondition<R>? {
    let outer: QueryColumn<R, E?> = root[dynamicMember: path]
    let column: QueryColumn<R, V.Unwrapped?> = outer[dynamicMember: inner]
    return V.Unwrapped.condition(test, onOptional: column)
  }

  var sortKeys:
    (ascending: KeyPath<SortRoot<M>, SortKey>, descending: KeyPath<SortRoot<M>, SortKey>)?
  {
    let outer: KeyPath<SortRoot<M>, SortPath<E>> = \SortRoot<M>.[dynamicMember: path]
    let key = outer.appending(path: \SortPath<E>.[dynamicMember: inner])
    return (key, key.appending(path: \SortKey.descending))
  }
}
