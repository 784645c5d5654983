/// How a broadcast ended.
@usableFromInline
struct Ending {
  /// The error it failed with; nil when it completed.
  let error: (any Error)?
  /// Whether those who were subscribed hear nothing of it.
  let isSilent: Bool
}

/// The last elements that a broadcast accepted, and how it ended.
@usableFromInline
struct Memory<Element> {
  /// How many elements it keeps.
  @usableFromInline let capacity: Int
  /// Whether late observers of an ended broadcast get the elements before the end.
  var replaysAfterEnd = false
  /// The end that was accepted, perhaps before it could be delivered.
  @usableFromInline var ending: Ending?
  // A ring: the oldest element stands at `oldest` once the memory is full.
  @usableFromInline var elements: ContiguousArray<Element> = []
  @usableFromInline var oldest = 0

  init(capacity: Int, replaysAfterEnd: Bool = false) {
    self.capacity = capacity
    self.replaysAfterEnd = replaysAfterEnd
  }

  /// A memory of one that is never empty.
  init(holding element: Element) {
    self.init(capacity: 1)
    elements = [element]
  }

  /// The element accepted last.
  var last: Element? {
    elements.isEmpty ? nil : elements[(oldest + elements.count - 1) % elements.count]
  }

  /// What an observer that comes now gets before anything else.
  var backlog: ContiguousArray<Element> {
    if let ending, ending.isSilent || !replaysAfterEnd { return [] }
    return oldest == 0 ? elements : ContiguousArray(elements[oldest...] + elements[..<oldest])
  }

  /// Keeps an element and returns the one that it displaced, to be released by the caller.
  @inlinable
  mutating func push(_ element: Element) -> Element? {
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
