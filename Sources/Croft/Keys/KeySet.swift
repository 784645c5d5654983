/// Different keys' bytes in one block of memory, in the order in which they came.
///
/// Confined to the call or the transaction that made it.
@safe
final class KeySet {
  private var bytes = _ByteBuffer(capacity: 1024)
  private var ends: [Int] = []
  /// For each hash, modulo the table's size, one more than a key's place; 0 where there is none.
  private var table = [UInt32](repeating: 0, count: 64)

  var count: Int { ends.count }

  /// One key by its place, lent until the set changes.
  subscript(place: Int) -> UnsafeRawBufferPointer {
    let start = place == 0 ? 0 : ends[place - 1]
    // Safety: ends ascend within the buffer.
    return unsafe UnsafeRawBufferPointer(start: bytes.base + start, count: ends[place] - start)
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
    unsafe bytes.append(contentsOf: key)
    ends.append(bytes.count)
    table[slot] = UInt32(ends.count)
    if ends.count * 2 > table.count { grow() }
    return true
  }

  func removeAll() {
    guard !ends.isEmpty else { return }
    bytes.count = 0
    ends.removeAll(keepingCapacity: true)
    table = [UInt32](repeating: 0, count: 64)
  }

  /// The keys in ascending order.
  func sorted(width: Int?) -> KeyList {
    var list = KeyList(width: width)
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
