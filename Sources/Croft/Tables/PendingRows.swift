import LMDB

/// New rows of a bulk insert that their tree does not have yet.
///
/// Rows in the order of their keys are written soon, while they are in the processor's caches.
/// Others are collected and sorted, so that rows of one page of the tree are written together.
@safe
struct PendingRows: ~Copyable {
  private struct Place {
    var start: Int
    var keyCount: Int
    var rowCount: Int
    var isWide: Bool
  }

  private var bytes = _ByteBuffer(capacity: 1024)
  private var places: [Place] = []
  private var isAscending = true

  var count: Int { places.count }

  /// Whether it is time to write the rows.
  var isFull: Bool {
    bytes.count > (isAscending ? Threshold.ascendingRowBytes : .sortedRowBytes).value
  }

  mutating func append(_ encoder: borrowing _RecordEncoder) {
    let place = Place(
      start: bytes.count, keyCount: encoder.key.count, rowCount: encoder.row.count,
      isWide: encoder.isWide)
    if isAscending, let last = places.last {
      unsafe isAscending = ByteList.compare(key(last), encoder.key.bytes) < 0
    }
    bytes.reserve(place.keyCount + place.rowCount + Checksum.size)
    // Safety: `reserve` made room for both, and for a checksum, after the last byte.
    let start = unsafe bytes.base + place.start
    unsafe start.copyMemory(from: encoder.key.base, byteCount: place.keyCount)
    unsafe (start + place.keyCount).copyMemory(from: encoder.row.base, byteCount: place.rowCount)
    bytes.count += place.keyCount + place.rowCount + Checksum.size
    places.append(place)
  }

  mutating func sort() {
    guard !isAscending else { return }
    CoverageMark.hit(.rowsSorted)
    let base = unsafe bytes.base
    let places = places
    let order = unsafe ByteList.comparison(count: places.count) { place in
      // Safety: places are within the buffer, which is not changed while it is sorted.
      unsafe UnsafeRawBufferPointer(
        start: base + places[place].start, count: places[place].keyCount)
    }
    self.places = order.map { places[Int($0)] }
    isAscending = true
  }

  /// The row at a place, borrowed until a row is added.
  subscript(place: Int) -> RecordView {
    let place = places[place]
    // Safety: places are within the buffer.
    return unsafe RecordView(
      key: UnsafeRawPointer(bytes.base + place.start), keyCount: place.keyCount,
      row: UnsafeRawPointer(bytes.base + place.start + place.keyCount), rowCount: place.rowCount,
      isWide: place.isWide)
  }

  /// Puts the rows into a table, up to one whose key exists; its place, or nil when there is none.
  func insert(
    into rows: StoredTree<RecordView>, _ transaction: inout LMDB.WriteTransaction
  ) throws(LMDBError) -> Int? {
    // Safety: the steps point into the buffer, which stays as it is during the call.
    let steps = unsafe places.map { place in
      unsafe LMDB.WriteTransaction.SortedChange(
        keyStart: bytes.base + place.start, keyCount: place.keyCount,
        valueStart: bytes.base + place.start + place.keyCount,
        valueCount: place.rowCount + Checksum.size, isDelete: false)
    }
    return try unsafe steps.withUnsafeBufferPointer { steps throws(LMDBError) in
      try unsafe transaction.insert(steps, into: rows)
    }
  }

  mutating func clear() {
    bytes.count = 0
    places.removeAll(keepingCapacity: true)
    isAscending = true
  }

  private func key(_ place: Place) -> UnsafeRawBufferPointer {
    // Safety: places are within the buffer.
    unsafe UnsafeRawBufferPointer(start: bytes.base + place.start, count: place.keyCount)
  }
}
