import Croft

/// A property of a shape, for the twin.
struct FieldInfo: Sendable {
  let name: String
  let kind: Kind
  /// The property's type, by its name.
  var type = ""
  /// For a part of a struct: the property with the struct, and the part's place in it.
  var derived: (from: String, place: Int)?
  /// For an expression: what it makes of the property that it is derived from.
  var calculation: (@Sendable (Value) -> Value)?
}

/// What becomes of an object when one that it refers to goes; the twin's own word.
enum Rule: Sendable {
  case nullify, cascade, deny
}

/// A model of the swarm without its type.
protocol Shape: Sendable {
  var name: String { get }
  var type: any Model.Type { get }
  var infos: [FieldInfo] { get }
  /// The names of the primary key's properties.
  var key: [String] { get }
  /// Lists of properties whose values no two objects share; texts with `*` have their case folded.
  var uniques: [[String]] { get }
  var rules: [String: Rule] { get }
  /// The properties of the index for searches; none without one.
  var searched: [String] { get }

  func run(
    _ statement: Statement, in transaction: inout WriteTransaction, _ family: Models
  ) throws -> Int?
  func rows<T: ReadableTransaction & ~Copyable>(in transaction: inout T) throws -> [Fields]
  func keys<T: ReadableTransaction & ~Copyable>(
    _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> [Value]?
  func count<T: ReadableTransaction & ~Copyable>(
    _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> Int
  func first<T: ReadableTransaction & ~Copyable>(
    _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> Value?
  func pages<T: ReadableTransaction & ~Copyable>(
    _ question: Question, of count: Int, in transaction: inout T, _ family: Models
  ) throws -> [Value]
  func get<T: ReadableTransaction & ~Copyable>(_ key: Value, in transaction: inout T) throws
    -> Fields?
  func measure<T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, of field: String, _ question: Question, in transaction: inout T,
    _ family: Models
  ) throws -> Value?
  func groups<T: ReadableTransaction & ~Copyable>(
    by field: String, _ question: Question, in transaction: inout T, _ family: Models
  ) throws -> [(Value, Int)]?
  func sections<T: ReadableTransaction & ~Copyable>(
    by field: String, isDescending: Bool, _ question: Question, in transaction: inout T,
    _ family: Models
  ) throws -> [(Value, [Value])]?
  /// What a commit did to each object; nil where it does not say.
  func deltas(of commit: StoreCommit) throws -> [(old: Fields?, new: Fields?)]?
  func referrers<R, T: Model>(
    to root: QueryColumn<R, T>, by field: String, _ quantity: Quantity, _ term: Term,
    _ family: Models
  ) -> QueryCondition<R>?
  func referrerCount<R, T: Model>(of root: QueryColumn<R, T>, by field: String) -> QueryColumn<
    R, Int
  >?
  func observe(
    _ question: Question, sections: String?, in store: Store, _ family: Models
  ) -> (any LiveReplay)?
  /// Observes what a closure fetches by a question, and how many objects that are.
  func observeReading(
    _ question: Question, in store: Store, _ family: Models
  ) -> (any LiveReplay)?
}

extension Shape {
  func info(_ field: String) -> FieldInfo? { infos.first { $0.name == field } }

  /// The properties that objects are made of.
  var stored: [FieldInfo] { infos.filter { $0.derived == nil } }

  /// The primary key of an object.
  func key(of row: Fields) -> Value {
    key.count == 1 ? row[key[0]] ?? .null : .parts(key.map { row[$0] ?? .null })
  }
}
