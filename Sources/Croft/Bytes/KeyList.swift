/// Many keys' bytes, in the order of their arrival or in ascending order.
///
/// A key of a known length takes its bytes, and four more once the list is sorted.
struct KeyList: ~Copyable {
  private var keys: KeyBytes
  private var order: [UInt32]?

  /// Makes an empty list.
  ///
  /// - Parameter width: The length that every key will have, or nil.
  init(width: Int?) { keys = KeyBytes(width: width, capacity: 4096) }

  var count: Int { keys.count }
  var byteCount: Int { keys.byteCount }

  /// Adds a copy of a key; the list is then in the order of arrival.
  mutating func append(_ key: UnsafeRawBufferPointer) {
    // Safety: the key's bytes are copied while the caller lends them.
    unsafe keys.append(key)
    order = nil
  }

  mutating func clear() {
    keys.removeAll()
    order = nil
  }

  /// Puts the keys in ascending order.
  mutating func sort() { order = keys.order() }

  /// One key, lent until the list changes.
  subscript(position: Int) -> UnsafeRawBufferPointer {
    // Safety: the caller leaves the list alone while it uses the key.
    unsafe keys[order.map { Int($0[position]) } ?? position]
  }
}
