/// The live queries that are entered by one column.
///
/// Confined to its index.
struct ObserverColumn {
  private var byValue: [[UInt8]: Set<Int>] = [:]
  private var ranges = ObserverRanges()
  /// Where each query is entered.
  private var places: [Int: ObserverPlace] = [:]

  var isEmpty: Bool { places.isEmpty }

  mutating func insert(_ id: Int, _ place: ObserverPlace) {
    places[id] = place
    switch place.codes {
    case .values(let codes): for code in codes { byValue[code, default: []].insert(id) }
    case .range(let lower, let upper): ranges.insert(id, lower, upper)
    }
  }

  mutating func remove(_ id: Int) {
    guard let place = places.removeValue(forKey: id) else { return }
    switch place.codes {
    case .values(let codes):
      for code in codes {
        byValue[code]?.remove(id)
        if byValue[code]?.isEmpty ?? false { byValue[code] = nil }
      }
    case .range: ranges.remove(id)
    }
  }

  /// Adds the queries that a row had, or has, a value for.
  mutating func collect(_ change: RowDelta, _ column: Int, into ids: inout Set<Int>) throws {
    let old = try change.old?.code(of: column)
    let new = try change.new?.code(of: column)
    if let old { collect(old, into: &ids) }
    if let new, new != old { collect(new, into: &ids) }
  }

  private mutating func collect(_ code: [UInt8], into ids: inout Set<Int>) {
    if let found = byValue[code] { ids.formUnion(found) }
    ranges.collect(code, into: &ids)
  }
}

extension StoredRow {
  /// The key code of a column.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's ends lie.
  fileprivate func code(of column: Int) throws -> [UInt8] {
    var code = _ByteBuffer()
    try withExtendedLifetime(self) {
      try code.appendCode(of: layout.columns[column], in: view, layout: layout, cut: nil)
    }
    // Safety: the code is copied while the buffer lives.
    return unsafe [UInt8](code.bytes)
  }
}
