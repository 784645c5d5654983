/// A first-in, first-out queue; each operation is O(1) amortised.
///
/// It is a ring buffer in memory of its own and not an array or a `Deque`: generic code that is
/// not specialised would instantiate the metadata of `Array<Element>` at every call, which takes
/// longer than the rest. Its methods are inlined for the same reason. <doc:Delivery> tells what was
/// compared.
struct Queue<Element>: ~Copyable {
  // Safety: `count` elements from index `first` on, modulo `capacity`, are initialised; the pointer
  // is nil exactly while the capacity is 0.
  private var slots: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private var first = 0
  private(set) var count = 0

  deinit {
    guard let slots else { return }
    for index in 0..<count { (slots + slot(index)).deinitialize(count: 1) }
    slots.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    guard let slots else { return }
    (slots + slot(count)).initialize(to: element)
    count += 1
  }

  mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }

  /// Removes and returns the first element; the queue must not be empty.
  ///
  /// In code that is not specialised this is faster than returning an optional.
  @inline(__always)
  mutating func removeFirst() -> Element {
    guard count > 0, let slots else {
      preconditionFailure("An empty queue has no first element: ask isEmpty before.")
    }
    let slot = slots + first
    first = first + 1 == capacity ? 0 : first + 1
    count -= 1
    return slot.move()
  }

  /// The index in memory of an element, counted from the first.
  @inline(__always)
  private func slot(_ index: Int) -> Int {
    let slot = first + index
    return slot < capacity ? slot : slot - capacity
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(4, capacity * 2))
    if let slots {
      for index in 0..<count {
        (larger + index).moveInitialize(from: slots + slot(index), count: 1)
      }
      slots.deallocate()
    }
    slots = larger
    capacity = max(4, capacity * 2)
    first = 0
  }
}
