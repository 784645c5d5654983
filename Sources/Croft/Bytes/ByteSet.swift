/// Different byte strings, in the order in which they came.
///
/// Beside its bytes, and its end where lengths differ, an item takes eight to sixteen bytes.
/// Confined to the call or the transaction that made it.
final class ByteSet {
  private var items = ByteList(capacity: 1024)
  /// For each hash, modulo the table's size, one more than an item's place; 0 where there is none.
  private var table = [UInt32](repeating: 0, count: 64)

  var count: Int { items.count }

  /// An item by its place, borrowed until the set changes.
  subscript(place: Int) -> UnsafeRawBufferPointer {
    // Safety: the caller leaves the set alone while it uses the item.
    unsafe items[place]
  }

  func contains(_ item: UnsafeRawBufferPointer) -> Bool { unsafe table[slot(of: item)] != 0 }

  /// Adds a copy of an item; false where the set had it.
  @discardableResult
  func insert(_ item: UnsafeRawBufferPointer) -> Bool {
    let slot = unsafe slot(of: item)
    guard table[slot] == 0 else { return false }
    unsafe items.append(item)
    table[slot] = UInt32(count)
    if count * 2 > table.count { grow() }
    return true
  }

  func removeAll() {
    guard count > 0 else { return }
    items.removeAll()
    table = [UInt32](repeating: 0, count: 64)
  }

  func sorted() -> ByteList {
    var list = ByteList()
    for place in 0..<count { unsafe list.append(self[place]) }
    list.sort()
    return list
  }

  /// Where the table has an item, or would have it.
  private func slot(of item: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: item)
    var slot = hasher.finalize() & (table.count - 1)
    while table[slot] != 0, unsafe ByteList.compare(self[Int(table[slot]) - 1], item) != 0 {
      slot = (slot + 1) & (table.count - 1)
    }
    return slot
  }

  private func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for place in 0..<count { unsafe table[slot(of: self[place])] = UInt32(place + 1) }
  }
}
