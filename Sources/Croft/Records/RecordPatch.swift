/// Some columns' new values, as bytes that rows take over.
struct RecordPatch: ~Copyable {
  /// The columns in the rows.
  private let columns: [ColumnLayout]
  private var values = _RecordEncoder()
  /// A layout of these columns alone.
  private let layout: RecordLayout

  /// Makes a patch.
  ///
  /// - Parameter store: Writes the columns' values, in the order of the places.
  /// - Precondition: The places differ, and none is the primary key's.
  init(_ places: [Int], _ table: Table, _ store: (inout _RecordEncoder) -> Void) {
    let schema = table.schema
    for (number, place) in places.enumerated() {
      precondition(
        !schema.keyPlaces.contains(place),
        "\(schema.name).\(schema.columns[place].name) is the primary key, which cannot be set: "
          + "delete the objects and insert others.")
      precondition(
        !places[..<number].contains(place),
        "\(schema.name).\(schema.columns[place].name) is set twice: keep one of its values.")
    }
    columns = places.map { table.layout.columns[$0] }
    layout = RecordLayout(
      schema: schema,
      columns: columns.map {
        ColumnDefinition(name: table.layout.names[$0.index], storage: $0.storage)
      }, keyWidth: nil, id: RecordLayout.unregistered)
    values.begin(layout)
    store(&values)
    if values.isTooLongForNarrowEnds {
      values.begin(layout, isWide: true)
      store(&values)
    }
  }

  /// Writes a row with these values into an encoder; false where the row has them already.
  func write(_ old: RecordView, _ rowLayout: RecordLayout, to encoder: inout _RecordEncoder) throws
    -> Bool
  {
    let new = values.view
    guard
      try zip(columns, layout.columns).contains(where: { column, own in
        try !column.isSame(in: old, rowLayout, own, in: new, layout)
      })
    else { return false }
    // Safety: neither row changes until the new one is assembled.
    try unsafe encoder.assemble(rowLayout, key: old.keyBytes) { column in
      guard let place = columns.firstIndex(where: { $0.index == column.index }) else {
        return try unsafe column.storedBytes(in: old, rowLayout)
      }
      return try unsafe layout.columns[place].storedBytes(in: new, layout)
    }
    return true
  }
}
