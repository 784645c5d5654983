/// The last elements that a broadcast accepted, and how it ended.
@usableFromInline
struct ReplayBuffer<Element> {
  /// How many elements it keeps.
  @usableFromInline let capacity: Int
  /// Whether observers of a broadcast that has ended receive the elements before the end.
  var replaysAfterEnd = false
  /// The end that was accepted; it may not have been delivered yet.
  @usableFromInline var termination: BroadcastTermination?
  // A ring: the oldest element is at index `oldest` once the buffer is full.
  @usableFromInline var elements: ContiguousArray<Element> = []
  @usableFromInline var oldest = 0

  init(capacity: Int, replaysAfterEnd: Bool = false) {
    self.capacity = capacity
    self.replaysAfterEnd = replaysAfterEnd
  }

  /// Makes a buffer of one element that is never empty.
  init(holding element: Element) {
    self.init(capacity: 1)
    elements = [element]
  }

  /// The element accepted last.
  var last: Element? {
    elements.isEmpty ? nil : elements[(oldest + elements.count - 1) % elements.count]
  }

  /// The elements that a new observer receives first, oldest first.
  var replayed: ContiguousArray<Element> {
    if let termination, termination.isSilent || !replaysAfterEnd { return [] }
    return oldest == 0 ? elements : ContiguousArray(elements[oldest...] + elements[..<oldest])
  }

  /// Keeps an element and returns the one that it displaced, to be released by the caller.
  @inlinable
  mutating func append(_ element: Element) -> Element? {
    guard elements.count == capacity else {
      elements.append(element)
      return nil
    }
    let displaced = elements[oldest]
    elements[oldest] = element
    oldest = oldest + 1 == capacity ? 0 : oldest + 1
    return displaced
  }
}
