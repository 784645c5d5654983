/// Different keys' bytes, in the order in which they came.
///
/// Beside its bytes, and its end where lengths differ, a key takes eight to sixteen bytes.
/// Confined to the call or the transaction that made it.
final class KeySet {
  private var keys: KeyBytes
  /// For each hash, modulo the table's size, one more than a key's place; 0 where there is none.
  private var table = [UInt32](repeating: 0, count: 64)

  /// Makes an empty set.
  ///
  /// - Parameter width: The length that every key will have, or nil.
  init(width: Int?) { keys = KeyBytes(width: width, capacity: 1024) }

  var count: Int { keys.count }

  /// One key by its place, lent until the set changes.
  subscript(place: Int) -> UnsafeRawBufferPointer {
    // Safety: the caller leaves the set alone while it uses the key.
    unsafe keys[place]
  }

  /// Whether the set holds a key.
  func contains(_ key: UnsafeRawBufferPointer) -> Bool { unsafe table[slot(of: key)] != 0 }

  /// Adds a copy of a key.
  ///
  /// - Returns: Whether the set lacked it.
  @discardableResult
  func insert(_ key: UnsafeRawBufferPointer) -> Bool {
    let slot = unsafe slot(of: key)
    guard table[slot] == 0 else { return false }
    unsafe keys.append(key)
    table[slot] = UInt32(count)
    if count * 2 > table.count { grow() }
    return true
  }

  func removeAll() {
    guard count > 0 else { return }
    keys.removeAll()
    table = [UInt32](repeating: 0, count: 64)
  }

  /// The keys in ascending order.
  func sorted() -> KeyList {
    var list = KeyList(width: keys.width)
    for place in 0..<count { unsafe list.append(self[place]) }
    list.sort()
    return list
  }

  /// Where the table has a key, or would have it.
  private func slot(of key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: key)
    var slot = hasher.finalize() & (table.count - 1)
    while table[slot] != 0, unsafe KeySort.compare(self[Int(table[slot]) - 1], key) != 0 {
      slot = (slot + 1) & (table.count - 1)
    }
    return slot
  }

  private func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for place in 0..<count { unsafe table[slot(of: self[place])] = UInt32(place + 1) }
  }
}
