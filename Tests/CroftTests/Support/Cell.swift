import Croft
import Synchronization

/// A model of one property of any type, called `Cell` whatever the type is.
///
/// It is written as `@Model` would, which cannot: a model of a program's is not generic.
struct Cell<V: IndexableStorable & Hashable>: Model, Hashable {
  var id: Int
  var value: V

  static var _schema: _ModelSchema<Cell<V>> {
    CellSchemas.schema(of: Self.self) {
      [_keyColumn(\.id, "id"), _indexedColumn(\.value, "value")]
    }
  }

  var _primaryKey: Int { id }

  init(id: Int, value: V) {
    self.id = id
    self.value = value
  }

  init(_record row: inout _RecordDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    value = try Self._decode(&row) { $0.value }
  }

  func _encode(into row: inout _RecordEncoder) {
    row.encodeKey(id)
    row.encode(value)
  }
}

/// A default for a cell's value, told by its type.
protocol CellDefault: SendableMetatype {
  associatedtype V: IndexableStorable & Hashable
  static var value: V { get }
}

/// A cell whose value has a default, and whose field may have had another name.
struct DefaultCell<D: CellDefault>: Model, Hashable {
  var id: Int
  var value: D.V

  static var _schema: _ModelSchema<DefaultCell<D>> {
    CellSchemas.schema(of: Self.self) {
      [
        _keyColumn(\.id, "id"),
        _indexedColumn(\.value, "value", default: { D.value }).renamed(from: "former"),
      ]
    }
  }

  var _primaryKey: Int { id }

  init(_record row: inout _RecordDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    value = try Self._decode(&row) { $0.value }
  }

  func _encode(into row: inout _RecordEncoder) {
    row.encodeKey(id)
    row.encode(value)
  }

  static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.value == right.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A cell without its value, whose field is hidden or removed.
enum Bare {
  @Model struct Cell: Hashable { @PrimaryKey var id: Int }
}
enum Cleared {
  @Removed("value") @Model struct Cell: Hashable { @PrimaryKey var id: Int }
}

/// A model of one property of any type that has no index, called `Box` whatever the type is.
struct Box<V: Storable & Hashable>: Model, Hashable {
  var id: Int
  var value: V

  static var _schema: _ModelSchema<Box<V>> {
    CellSchemas.schema(of: Self.self, named: "Box") {
      [_keyColumn(\.id, "id"), _column(\.value, "value")]
    }
  }

  var _primaryKey: Int { id }

  init(id: Int, value: V) {
    self.id = id
    self.value = value
  }

  init(_record row: inout _RecordDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    value = try Self._decode(&row) { $0.value }
  }

  func _encode(into row: inout _RecordEncoder) {
    row.encodeKey(id)
    row.encode(value)
  }
}

/// Schemas of generic models, each made once.
private enum CellSchemas {
  static let known = Mutex<[ObjectIdentifier: any Sendable]>([:])

  static func schema<M: Model>(
    of model: M.Type, named name: String = "Cell",
    _ columns: () -> [_Column<M>]
  ) -> _ModelSchema<M> {
    known.withLock { known in
      if let schema = known[ObjectIdentifier(model)] as? _ModelSchema<M> { return schema }
      let schema = _ModelSchema<M>(name, columns())
      known[ObjectIdentifier(model)] = schema
      return schema
    }
  }
}
