/// Memory for rows that were put into another layout, given back all at once.
///
/// It lives as long as the query or statement whose views point into it, and is confined to
/// the thread of that.
@safe
final class RowArena {
  private static var chunkBytes: Int { Threshold.arenaBytes.value }

  private var chunks: [UnsafeMutableRawBufferPointer] = unsafe []
  /// How many bytes of the last chunk are taken.
  private var used = 0

  deinit {
    // Safety: each chunk was allocated here, and no view outlives the arena.
    while let chunk = unsafe chunks.popLast() { unsafe chunk.deallocate() }
  }

  /// The bytes that the arena holds on to.
  var byteCount: Int { unsafe chunks.reduce(0) { $0 + $1.count } }

  /// Uninitialised room, at an address that stays until ``clear()``.
  func room(for count: Int) -> UnsafeMutableRawPointer {
    // Safety: the room lies in the last chunk, behind what was taken before.
    if let last = unsafe chunks.last, used + count <= last.count,
      let start = last.baseAddress
    {
      let room = unsafe start + used
      used += count
      return unsafe room
    }
    let size = max(Self.chunkBytes, count)
    let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe chunks.append(UnsafeMutableRawBufferPointer(start: start, count: size))
    used = count
    return unsafe start
  }

  /// Forgets all rows; no view of one may be used again.
  func clear() {
    guard used > 0 else { return }
    // Safety: views end with the statement that the caller ends.
    while unsafe chunks.count > 1 { unsafe chunks.removeLast().deallocate() }
    used = 0
  }
}
