/// First in, first out, in O(1) amortised each.
///
/// A ring in memory of its own rather than an array: code that does not know the element's type
/// would look up the array's at every call, for longer than all the rest takes. Inlined for the
/// same reason: else it would look up the queue's.
struct Queue<Element>: ~Copyable {
  // Safety: `count` places from `first` on, around the end of `capacity`, are initialised; the
  // pointer is nil only as long as the capacity is 0.
  private var places: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private var first = 0
  private(set) var count = 0

  deinit {
    guard let places else { return }
    for index in 0..<count { (places + place(index)).deinitialize(count: 1) }
    places.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    guard let places else { return }
    (places + place(count)).initialize(to: element)
    count += 1
  }

  mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }

  /// Takes out the first one; there has to be one.
  ///
  /// It is faster than an optional where the element's type is unknown.
  @inline(__always)
  mutating func removeFirst() -> Element {
    guard count > 0, let places else {
      preconditionFailure("An empty queue has no first element: ask isEmpty before.")
    }
    let place = places + first
    first = first + 1 == capacity ? 0 : first + 1
    count -= 1
    return place.move()
  }

  /// Where the element so many behind the first stands.
  @inline(__always)
  private func place(_ index: Int) -> Int {
    let place = first + index
    return place < capacity ? place : place - capacity
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(4, capacity * 2))
    if let places {
      for index in 0..<count {
        (larger + index).moveInitialize(from: places + place(index), count: 1)
      }
      places.deallocate()
    }
    places = larger
    capacity = max(4, capacity * 2)
    first = 0
  }
}
