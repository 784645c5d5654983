/// The object of a key, which need not exist yet.
///
/// ```swift
/// let token = store.observe(TodoItem.object(id)) { change in
///   if let title = change.values(of: \.title) { rename(title.old, to: title.new) }
/// }
/// ```
/// The first change has the object, or nil. Each later one has a modification, a deletion or an insertion.
public struct ObjectRequest<M: Model>: StoreRequest {
  /// The code of the key.
  fileprivate let key: [UInt8]
  fileprivate let fields: [Int]?

  /// The same request, which tells observers of changes of some properties alone.
  ///
  /// - Parameter fields: The properties to observe. Insertions and deletions are delivered in any case.
  /// - Precondition: The fields are stored properties.
  public func observing(_ fields: PartialKeyPath<M>...) -> ObjectRequest<M> {
    ObjectRequest(key: key, fields: M.places(of: fields))
  }

  /// How the object is observed.
  public var _target: _ObservationTarget<ObjectChange<M>> {
    let fields = fields
    return _ObservationTarget(M.schema, .object(key, M.schema)) {
      (step: LiveStep.One<LiveObject.Row>) in
      let change = try ObjectChange<M>(step, fields: fields)
      return (change, change.isEmpty)
    }
  }

  /// The object after a change.
  public static func _value(after change: ObjectChange<M>) -> M? { change.new }

  /// Reads the object.
  public func _fetch(in transaction: inout ReadTransaction) throws -> M? {
    try transaction.object(of: key)
  }
}

extension Model {
  /// The object of a key, as a request for `store.observe` and its siblings.
  public static func object(_ key: PrimaryKey) -> ObjectRequest<Self> {
    ObjectRequest(key: key.keyCode, fields: nil)
  }

  /// The places of the columns of some properties; nil, for all, where there are none.
  static func places(of fields: [PartialKeyPath<Self>]) -> [Int]? {
    if fields.isEmpty { return nil }
    return fields.flatMap { field in
      guard let name = _schema.name(of: field) else {
        preconditionFailure(
          "A field to observe is no stored property of \(schema.name): name stored ones.")
      }
      // A struct's properties have columns of their own, under its name.
      return schema.columns.indices.filter { place in
        let column = schema.columns[place].name
        return column == name || column.hasPrefix(name + ".")
      }
    }
  }
}
