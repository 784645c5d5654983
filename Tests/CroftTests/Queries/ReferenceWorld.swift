import TestSupport

@testable import Croft

/// The rows of some models, and the values of paths in them by plain Swift.
struct ReferenceWorld {
  /// The model of the query.
  let root: Schema
  private let rows: [ObjectIdentifier: [[StoredValue]]]

  init(root: Schema, _ rows: [(Schema, [[StoredValue]])]) {
    self.root = root
    self.rows = Dictionary(
      rows.map { (ObjectIdentifier($0.0), $0.1) }, uniquingKeysWith: { $1 })
  }

  func rows(of schema: Schema) -> [[StoredValue]] { rows[ObjectIdentifier(schema)] ?? [] }

  /// The row that a reference names.
  private func row(_ key: StoredValue, of schema: Schema) -> ReferenceRow? {
    rows(of: schema).first { $0[schema.keyIndex].order(to: key) == 0 }
      .map { ReferenceRow(schema: schema, values: $0) }
  }

  /// The rows that refer to a row, by primary key.
  func referrers(to row: ReferenceRow, by link: ReferringColumn) -> [ReferenceRow] {
    rows(of: link.schema).filter { values in
      let found = values[link.column]
      let references = if case .list(let elements) = found { elements } else { [found] }
      return references.contains { $0 != .none && $0.order(to: row.key) == 0 }
    }
    .sorted { $0[link.schema.keyIndex].order(to: $1[link.schema.keyIndex]) < 0 }
    .map { ReferenceRow(schema: link.schema, values: $0) }
  }

  /// The value at the end of a path; none after a reference that is nil.
  func value(_ path: ColumnPath, _ row: ReferenceRow) -> StoredValue {
    guard let end = end(of: path, row) else { return .none }
    if path.place == ColumnPath.element.place { return end.element }
    guard let measure = path.measure else { return end.values[path.place] }
    guard let source = measure.source else {
      let storage = end.schema.columns[path.place].storage
      return measured(measure.kind, end.elements(path.place), storage.element)
    }
    let values = referrers(to: end, by: source).map { $0.values[path.place] }
    return measured(measure.kind, values, source.schema.columns[path.place].storage)
  }

  /// The row that a path's last column belongs to.
  func end(of path: ColumnPath, _ row: ReferenceRow) -> ReferenceRow? {
    var row = row
    for link in path.links {
      let isElement = link == ColumnPath.element.place
      let key = isElement ? row.element : row.values[link]
      let reference = row.schema.columns[isElement ? row.collection : link].reference
      guard key != .none, let target = reference?.target(), let next = self.row(key, of: target)
      else { return nil }
      row = next
    }
    return row
  }

  /// The measure of values, as the article "Queries" defines it.
  private func measured(
    _ kind: ColumnPath.Measure.Kind, _ values: [StoredValue], _ storage: StorageType
  ) -> StoredValue {
    let present = values.filter { $0 != .none }
    let ordered = present.filter { !$0.isNaN }.sorted { $0.order(to: $1) < 0 }
    switch kind {
    case .count: return .int(Int64(values.count))
    case .min: return ordered.first ?? .none
    case .max: return ordered.last ?? .none
    case .average:
      if present.isEmpty { return .none }
      let sum = reals(present)
      return .double(sum / Double(present.count))
    case .sum:
      if storage.kind.isReal { return .double(reals(present)) }
      let sum = integers(present)
      return storage.kind.isUnsigned ? .uint(UInt64(clamping: sum)) : .int(Int64(clamping: sum))
    }
  }

  private func integers(_ values: [StoredValue]) -> Int128 {
    values.reduce(0) { sum, value in
      switch value {
      case .int(let number): sum + Int128(number)
      case .uint(let number): sum + Int128(number)
      default: sum
      }
    }
  }

  private func reals(_ values: [StoredValue]) -> Double {
    values.compactMap { if case .double(let number) = $0 { number } else { nil } }.exactSum
      + Double(integers(values))
  }
}

/// The subject of a condition: a row, and inside a condition on an element that element.
struct ReferenceRow {
  let schema: Schema
  let values: [StoredValue]
  var element = StoredValue.none
  /// The column with the collection of the element.
  var collection = 0

  var key: StoredValue { values[schema.keyIndex] }

  /// The elements of a collection, of a dictionary its values.
  func elements(_ place: Int) -> [StoredValue] {
    guard case .list(let list) = values[place] else { return [] }
    guard schema.columns[place].storage.collection == .dictionary else { return list }
    return stride(from: 1, to: list.count, by: 2).map { list[$0] }
  }
}

extension StorageType.Kind {
  var isReal: Bool { self == .float || self == .double }
}

extension StoredValue {
  var isNaN: Bool {
    switch self {
    case .double(let number), .date(let number): number.isNaN
    default: false
    }
  }
}
