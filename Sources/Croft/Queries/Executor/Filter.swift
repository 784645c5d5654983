import LMDB

/// A condition compiled for one layout: every column is at a constant place in the row.
///
/// A negation is part of each test (`isNot`), so no set of rows is subtracted for it.
indirect enum Filter {
  case constant(Bool)
  /// A signed integer column within closed bounds.
  case signed(NumberPlace, Int64, Int64)
  /// An unsigned integer column, or a Bool as 0 and 1, within closed bounds.
  case unsigned(NumberPlace, UInt64, UInt64)
  /// A Float, Double or Date column within closed bounds; NaN is within none.
  case real(NumberPlace, Double, Double)
  /// A column of bytes (UUID, Data, a primary key's code) in memcmp order.
  case bytes(ColumnLayout, ConditionTree.Comparison, [UInt8], isNot: Bool)
  case text(ColumnLayout, ConditionTree.Comparison, TextTest, isNot: Bool)
  case pattern(ColumnLayout, TextMatcher, isNot: Bool)
  case search(SearchFilter, isNot: Bool)
  case present(bit: Int, isNot: Bool)
  case member(ColumnLayout, Set<StoredValue>, isNot: Bool)
  /// Two number columns of one kind; `isNot` of the first negates the comparison.
  case numbers(NumberPlace, ConditionTree.Comparison, NumberPlace)
  case columns(ColumnReader, ConditionTree.Comparison, ColumnReader, isNot: Bool)
  /// A value that is not a plain column, such as a count of elements.
  case value(ColumnReader, Filter.ValueTest, isNot: Bool)
  case referenced(ReferenceFilter, isNot: Bool)
  case element(ElementFilter, isNot: Bool)
  case referred(ReferrerFilter, isNot: Bool)
  case all([Filter])
  case any([Filter])

  /// The place of a number in the row, and whether it must be outside the bounds.
  struct NumberPlace {
    let offset: Int
    let kind: StorageType.Kind
    let presenceBit: Int?
    let isNot: Bool
  }

  /// Keeps the batch's selected rows that pass.
  func apply(
    to batch: inout Filter.Batch, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    switch self {
    case .constant(let holds): if !holds { batch.keepNone() }
    case .signed(let place, let low, let high): place.keep(&batch, low, high)
    case .unsigned(let place, let low, let high): place.keep(&batch, low, high)
    case .real(let place, let low, let high): place.keep(&batch, low, high)
    case .bytes(let column, let comparison, let value, let isNot):
      try unsafe value.withUnsafeBytes { value in
        try unsafe column.keep(&batch, isNot: isNot) {
          comparison.holds(unsafe ByteList.compare($0, value))
        }
      }
    case .text(let column, .equal, let test, let isNot):
      try unsafe column.keep(&batch, isNot: isNot) { unsafe test.isEqual(to: $0) }
    case .text(let column, let comparison, let test, let isNot):
      try unsafe column.keep(&batch, isNot: isNot) { comparison.holds(unsafe test.order(of: $0)) }
    case .pattern(let column, let matcher, let isNot):
      try unsafe column.keep(&batch, isNot: isNot) { unsafe matcher.matches($0) }
    case .search(let search, let isNot): try batch.keep { try search.holds(for: $0) != isNot }
    case .present(let bit, let isNot): batch.keep { $0.isPresent(bit) != isNot }
    case .member(let column, let values, let isNot):
      let layout = batch.layout
      try batch.keep { values.contains(try column.value(in: $0, layout)) != isNot }
    case .numbers(let left, let comparison, let right): left.keep(&batch, comparison, right)
    case .columns(let left, let comparison, let right, let isNot):
      try batch.keep { row in
        let value = try left.value(in: row, transaction)
        return value.holds(comparison, try right.value(in: row, transaction)) != isNot
      }
    case .value(let path, let test, let isNot):
      try batch.keep { test.holds(for: try path.value(in: $0, transaction)) != isNot }
    case .referenced(let test, let isNot):
      try batch.keep { try test.holds(for: $0, in: transaction) != isNot }
    case .element(let element, let isNot):
      try batch.keep { try element.holds(for: $0, in: transaction) != isNot }
    case .referred(let referred, let isNot):
      try batch.keep { try referred.holds(for: $0, in: transaction) != isNot }
    case .all(let terms):
      for term in terms where !batch.isEmpty { try term.apply(to: &batch, in: transaction) }
    case .any(let terms): try applyAny(terms, to: &batch, in: transaction)
    }
  }

  /// Tests each term only on the rows that passed no earlier one.
  private func applyAny(
    _ terms: [Filter], to batch: inout Filter.Batch,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    var open = batch.selection
    var taken: [UInt16] = []
    for term in terms where !open.isEmpty {
      batch.selection = open
      try term.apply(to: &batch, in: transaction)
      let passed = batch.selection
      taken += passed
      open = Self.subtract(passed, from: open)
    }
    batch.selection = taken.sorted()
  }

  /// The places without those that are removed; both lists ascend.
  private static func subtract(_ removed: [UInt16], from places: [UInt16]) -> [UInt16] {
    var rest: [UInt16] = []
    rest.reserveCapacity(places.count - removed.count)
    var next = 0
    for place in places {
      if next < removed.count, removed[next] == place { next += 1 } else { rest.append(place) }
    }
    return rest
  }

  /// Compiles a condition, or its negation, for rows of a layout.
  init(_ expression: ConditionTree, _ layout: RecordLayout, _ catalog: Catalog, isNot: Bool = false)
    throws
  {
    switch expression {
    case .constant(let holds): self = .constant(holds != isNot)
    case .and(let terms), .or(let terms):
      let isAnd = if case .and = expression { true } else { false }
      let merged = ConditionTree.mergingEqualities(terms.list, areNegated: isAnd)
      let filters = try merged.map { try Filter($0, layout, catalog, isNot: isNot) }
      self = isAnd != isNot ? .all(filters) : .any(filters)
    case .not(let term): self = try Filter(term, layout, catalog, isNot: !isNot)
    case .tooDeep: throw StoreError.conditionTooDeep(model: layout.schema.name)
    case .text(_, let pattern) where pattern.isTooLong,
      .search(_, let pattern) where pattern.isTooLong:
      throw StoreError.searchTooLong(model: layout.schema.name)
    case .search(let paths, let pattern):
      let columns = paths.map { layout.columns[$0.place] }
      self = .search(SearchFilter(columns, layout, pattern.text), isNot: isNot)
    case .columns(let left, let comparison, let right):
      if let left = NumberPlace(left, layout, isNot: isNot),
        let right = NumberPlace(right, layout, isNot: isNot), left.kind == right.kind
      {
        self = .numbers(left, comparison, right)
        return
      }
      self = .columns(
        try ColumnReader(left, layout, catalog), comparison,
        try ColumnReader(right, layout, catalog),
        isNot: isNot)
    case .referred(let source, let condition):
      self = .referred(try ReferrerFilter(source, condition, layout, catalog), isNot: isNot)
    case .any(let path, let condition) where path.links.isEmpty:
      self = .element(
        try ElementFilter(layout.columns[path.place], layout, condition, catalog), isNot: isNot)
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _),
      .any(let path, _):
      if path.measure != nil || path.computed != nil {
        let value = try ColumnReader(path, layout, catalog)
        self = .value(value, Filter.ValueTest(expression), isNot: isNot)
      } else if let link = path.links.first {
        self = try Filter(expression, through: link, layout, catalog, isNot: isNot)
      } else {
        self = Filter(expression, of: layout.columns[path.place], isNot: isNot)
      }
    }
  }

  /// Compiles a test of a column after a reference; without an object there the column is nil.
  private init(
    _ expression: ConditionTree, through link: Int, _ layout: RecordLayout, _ catalog: Catalog,
    isNot: Bool
  ) throws {
    let lookup = try ReferenceLookup(link, layout, catalog)
    func referenced(_ expression: ConditionTree, isNot: Bool) throws -> Filter {
      let test = try Filter(expression.behindLink, lookup.target.layout, catalog)
      return .referenced(ReferenceFilter(lookup, test), isNot: isNot)
    }
    switch expression {
    case .isNil: self = try referenced(.not(expression), isNot: !isNot)
    case .within(let path, let values) where values.contains(.none):
      let others = ConditionTree.within(path, values.filter { $0 != .none })
      let terms = [
        try referenced(.not(.isNil(path)), isNot: !isNot), try referenced(others, isNot: isNot),
      ]
      self = isNot ? .all(terms) : .any(terms)
    default: self = try referenced(expression, isNot: isNot)
    }
  }

  private init(_ test: ConditionTree, of column: ColumnLayout, isNot: Bool) {
    switch test {
    case .isNil:
      self = column.presenceBit.map { .present(bit: $0, isNot: !isNot) } ?? .constant(isNot)
    case .within(_, let values): self = .member(column, Self.members(values), isNot: isNot)
    case .compare(_, .equal, let value) where column.storage.collection != nil:
      self = .member(column, Self.members([value]), isNot: isNot)
    case .text(_, let pattern): self = .pattern(column, TextMatcher(pattern), isNot: isNot)
    case .compare(_, let comparison, let value):
      self = Filter(column, comparison, value, isNot: isNot)
    default: preconditionFailure("Only tests of one column come here.")
    }
  }

  /// The values that a column's can equal; a set finds NaN, which equals no value in a condition.
  static func members(_ values: [StoredValue]) -> Set<StoredValue> {
    Set(values.lazy.filter { !$0.equalsNothing })
  }

  private init(
    _ column: ColumnLayout, _ comparison: ConditionTree.Comparison, _ value: StoredValue,
    isNot: Bool
  ) {
    guard let place = NumberPlace(column, isNot: isNot) else {
      self = Filter(bytes: column, comparison, value, isNot: isNot)
      return
    }
    let never = Filter.constant(isNot)
    switch value {
    case .int(let value):
      self = comparison.bounds(value).map { .signed(place, $0.0, $0.1) } ?? never
    case .uint(let value):
      self = comparison.bounds(value).map { .unsigned(place, $0.0, $0.1) } ?? never
    case .bool(let value):
      self =
        comparison.bounds(value ? 1 as UInt64 : 0).map { .unsigned(place, $0.0, $0.1) } ?? never
    case .double(let value), .date(let value):
      self = comparison.bounds(value).map { .real(place, $0.0, $0.1) } ?? never
    default: self = never
    }
  }

  private init(
    bytes column: ColumnLayout, _ comparison: ConditionTree.Comparison, _ value: StoredValue,
    isNot: Bool
  ) {
    if case .string(let text) = value {
      self = .text(column, comparison, TextTest(text), isNot: isNot)
    } else if value.isNotANumber {
      self = .constant(isNot)
    } else if case .data(let bytes) = value {
      self = .bytes(column, comparison, bytes, isNot: isNot)
    } else {
      // A key's code or a UUID's bytes: both compare as their codes do.
      let code = value.keyCode(kind: column.kind)
      let test = Filter.bytes(column, comparison, code, isNot: isNot)
      guard case .date = value, comparison == .greater || comparison == .greaterOrEqual else {
        self = test
        return
      }
      // The key code of a date that is NaN is greater than all others; NaN is in no range.
      let bound = Filter.bytes(column, .lessOrEqual, Double.infinity.keyCode, isNot: isNot)
      self = isNot ? .any([test, bound]) : .all([test, bound])
    }
  }
}

extension StoredValue {
  /// Whether this is NaN, with which no comparison holds.
  var isNotANumber: Bool {
    switch self {
    case .double(let value), .date(let value): value.isNaN
    default: false
    }
  }
}

extension ConditionTree.Comparison {
  /// The closed bounds within which an integer passes, or nil where none does.
  func bounds<I: FixedWidthInteger>(_ value: I) -> (I, I)? {
    switch self {
    case .equal: (value, value)
    case .lessOrEqual: (.min, value)
    case .greaterOrEqual: (value, .max)
    case .less: value == .min ? nil : (.min, value - 1)
    case .greater: value == .max ? nil : (value + 1, .max)
    }
  }

  /// The closed bounds within which a number passes, or nil where none does.
  func bounds(_ value: Double) -> (Double, Double)? {
    if value.isNaN { return nil }
    switch self {
    case .equal: return (value, value)
    case .lessOrEqual: return (-.infinity, value)
    case .greaterOrEqual: return (value, .infinity)
    case .less: return value == -.infinity ? nil : (-.infinity, value.nextDown)
    case .greater: return value == .infinity ? nil : (value.nextUp, .infinity)
    }
  }

  /// Whether the comparison holds between two values.
  @inline(__always)
  func holds<C: Comparable>(_ left: C, _ right: C) -> Bool {
    switch self {
    case .equal: left == right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }

  /// Whether a value passes whose order to the constant is negative, zero or positive.
  @inline(__always)
  func holds(_ order: Int) -> Bool { holds(order, 0) }
}

// MARK: - Batches

extension Filter {
  /// A block of checked rows, and the places of those that passed every test so far.
  ///
  /// Conditions run a term at a time over a batch: each term's loop reads one column
  /// and keeps the places that pass.
  @safe
  struct Batch: ~Copyable {
    /// The most rows in a batch, which takes a block whole.
    static var capacity: Int { max(Threshold.rowsPerBatch.value, RowBlock.capacity) }

    /// Room for `capacity` rows, of which the first `rowCount` are initialised.
    private let rows: UnsafeMutablePointer<RecordView>
    private var rowCount = 0
    /// Room for `capacity` places in `rows`; the first `count` are selected, ascending.
    private let places: UnsafeMutablePointer<UInt16>
    /// How many rows are selected.
    private(set) var count = 0
    private let table: Table
    /// Holds rows that were stored in another layout and then transcoded.
    let arena: RecordArena

    init(_ table: Table, _ arena: RecordArena) {
      self.table = table
      self.arena = arena
      unsafe rows = .allocate(capacity: Self.capacity)
      unsafe places = .allocate(capacity: Self.capacity)
    }

    deinit {
      unsafe rows.deallocate()
      unsafe places.deallocate()
    }

    var layout: RecordLayout { table.layout }
    var isEmpty: Bool { count == 0 }
    var isFull: Bool { rowCount == Self.capacity }

    subscript(position: Int) -> RecordView {
      // Safety: callers' positions are below the count, and places below the number of rows.
      unsafe rows[Int(places[position])]
    }

    /// Replaces the rows by a block's, all of them selected.
    mutating func fill(_ entries: UnsafeBufferPointer<RowBlock.Entry>) throws {
      precondition(entries.count <= Self.capacity, "A block is no larger than a batch.")
      rowCount = 0
      // Safety: a block has at most `capacity` rows.
      for place in 0..<entries.count {
        let entry = unsafe entries[place]
        unsafe (rows + place).initialize(
          to: try table.view(key: entry.key, row: entry.value, arena))
        unsafe places[place] = UInt16(truncatingIfNeeded: place)
      }
      rowCount = entries.count
      count = rowCount
    }

    mutating func clear() {
      rowCount = 0
      count = 0
    }

    mutating func append(_ row: RecordView) {
      precondition(!isFull, "A full batch takes no row.")
      // Safety: there is room for another row.
      unsafe (rows + rowCount).initialize(to: row)
      unsafe places[count] = UInt16(truncatingIfNeeded: rowCount)
      rowCount += 1
      count += 1
    }

    @inline(__always)
    mutating func keep(_ test: (RecordView) throws -> Bool) rethrows {
      var kept = 0
      for position in 0..<count {
        // Safety: places are below the number of rows, and `kept` never passes `position`.
        let place = unsafe places[position]
        unsafe places[kept] = place
        kept &+= try unsafe test(rows[Int(place)]) ? 1 : 0
      }
      count = kept
    }

    mutating func keepNone() { count = 0 }

    /// The places of the selected rows.
    var selection: [UInt16] {
      get {
        // Safety: the first `count` places are initialised.
        unsafe Array(UnsafeBufferPointer(start: places, count: count))
      }
      set {
        precondition(newValue.count <= rowCount, "A selection has no more places than rows.")
        count = newValue.count
        // Safety: there are at most `capacity` places.
        for (position, place) in newValue.enumerated() { unsafe places[position] = place }
      }
    }
  }
}

// MARK: - Loops

// The loops over numbers, one for each width: with closed bounds no loop depends on the comparison.

extension Filter.NumberPlace {
  /// The place of a number, a truth value or a date; nil for other columns.
  init?(_ column: ColumnLayout, isNot: Bool) {
    guard case .fixed(let offset) = column.place, column.kind != .uuid else { return nil }
    self.init(offset: offset, kind: column.kind, presenceBit: column.presenceBit, isNot: isNot)
  }

  /// The place of a path that is a number column of the row itself.
  init?(_ path: ColumnPath, _ layout: RecordLayout, isNot: Bool) {
    guard let place = path.ownPlace else { return nil }
    self.init(layout.columns[place], isNot: isNot)
  }

  func keep(_ batch: inout Filter.Batch, _ low: Int64, _ high: Int64) {
    switch kind {
    case .int8: keep(&batch, as: Int8.self, low, high) { Int64($0) }
    case .int16: keep(&batch, as: Int16.self, low, high) { Int64(Int16(littleEndian: $0)) }
    case .int32: keep(&batch, as: Int32.self, low, high) { Int64(Int32(littleEndian: $0)) }
    default: keep(&batch, as: Int64.self, low, high) { Int64(littleEndian: $0) }
    }
  }

  func keep(_ batch: inout Filter.Batch, _ low: UInt64, _ high: UInt64) {
    switch kind {
    case .uint8, .bool: keep(&batch, as: UInt8.self, low, high) { UInt64($0) }
    case .uint16: keep(&batch, as: UInt16.self, low, high) { UInt64(UInt16(littleEndian: $0)) }
    case .uint32: keep(&batch, as: UInt32.self, low, high) { UInt64(UInt32(littleEndian: $0)) }
    default: keep(&batch, as: UInt64.self, low, high) { UInt64(littleEndian: $0) }
    }
  }

  func keep(_ batch: inout Filter.Batch, _ low: Double, _ high: Double) {
    switch kind {
    case .float:
      keep(&batch, as: UInt32.self, low, high) {
        Double(Float(bitPattern: UInt32(littleEndian: $0)))
      }
    default:
      keep(&batch, as: UInt64.self, low, high) { Double(bitPattern: UInt64(littleEndian: $0)) }
    }
  }

  @inline(__always)
  private func keep<Raw: BitwiseCopyable, Number: Comparable>(
    _ batch: inout Filter.Batch, as type: Raw.Type, _ low: Number, _ high: Number,
    _ number: (Raw) -> Number
  ) {
    let (offset, isNot) = (offset, isNot)
    // Safety: a checked row holds its whole fixed-width area.
    if let bit = presenceBit {
      batch.keep { row in
        let value = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
        return (row.isPresent(bit) && value >= low && value <= high) != isNot
      }
    } else {
      batch.keep { row in
        let value = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
        return (value >= low && value <= high) != isNot
      }
    }
  }
}

// The loops that compare two columns of one kind.

extension Filter.NumberPlace {
  /// Keeps the rows where a comparison holds between this number and another; nil equals nil.
  func keep(_ batch: inout Filter.Batch, _ comparison: ConditionTree.Comparison, _ other: Self) {
    switch kind {
    case .int8: keep(&batch, comparison, other, as: Int8.self) { $0 }
    case .int16: keep(&batch, comparison, other, as: Int16.self) { Int16(littleEndian: $0) }
    case .int32: keep(&batch, comparison, other, as: Int32.self) { Int32(littleEndian: $0) }
    case .int64: keep(&batch, comparison, other, as: Int64.self) { Int64(littleEndian: $0) }
    case .uint8, .bool: keep(&batch, comparison, other, as: UInt8.self) { $0 }
    case .uint16: keep(&batch, comparison, other, as: UInt16.self) { UInt16(littleEndian: $0) }
    case .uint32: keep(&batch, comparison, other, as: UInt32.self) { UInt32(littleEndian: $0) }
    case .float:
      keep(&batch, comparison, other, as: UInt32.self) {
        Float(bitPattern: UInt32(littleEndian: $0))
      }
    case .double, .date:
      keep(&batch, comparison, other, as: UInt64.self) {
        Double(bitPattern: UInt64(littleEndian: $0))
      }
    default: keep(&batch, comparison, other, as: UInt64.self) { UInt64(littleEndian: $0) }
    }
  }

  @inline(__always)
  private func isNil(in row: RecordView) -> Bool {
    guard let presenceBit else { return false }
    return !row.isPresent(presenceBit)
  }

  @inline(__always)
  private func keep<Raw: BitwiseCopyable, Number: Comparable>(
    _ batch: inout Filter.Batch, _ comparison: ConditionTree.Comparison, _ other: Self,
    as type: Raw.Type,
    _ number: (Raw) -> Number
  ) {
    batch.keep { row in
      let isNil = isNil(in: row)
      if isNil || other.isNil(in: row) {
        return (comparison == .equal && isNil && other.isNil(in: row)) != isNot
      }
      // Safety: a checked row holds its whole fixed-width area.
      let left = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
      let right = number(unsafe row.row.loadUnaligned(fromByteOffset: other.offset, as: Raw.self))
      return comparison.holds(left, right) != isNot
    }
  }
}

extension ColumnLayout {
  /// Keeps the rows whose bytes pass a test, which nil does not.
  @inline(__always)
  fileprivate func keep(
    _ batch: inout Filter.Batch, isNot: Bool, _ test: (UnsafeRawBufferPointer) -> Bool
  ) throws {
    let layout = batch.layout
    try batch.keep { row in
      guard isPresent(in: row) else { return isNot }
      return unsafe test(try bytes(in: row, layout)) != isNot
    }
  }
}
