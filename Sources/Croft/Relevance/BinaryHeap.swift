/// Elements of which the least is found at once; a new one is sorted in when it is added.
struct BinaryHeap<Element: Comparable> {
  private var elements: [Element] = []

  init() {}

  /// Makes a heap of some elements.
  ///
  /// - Complexity: O(*n*)
  init(_ elements: [Element]) {
    self.elements = elements
    for place in (0..<elements.count / 2).reversed() { sink(from: place) }
  }

  /// How many elements there are.
  var count: Int { elements.count }

  /// The least element; nil where there is none.
  var first: Element? { elements.first }

  /// Adds an element.
  ///
  /// - Complexity: O(log *n*)
  mutating func insert(_ element: Element) {
    var place = elements.count
    elements.append(element)
    while place > 0 {
      let parent = (place - 1) / 2
      if elements[parent] <= elements[place] { return }
      elements.swapAt(parent, place)
      place = parent
    }
  }

  /// Removes and returns the least element.
  ///
  /// - Complexity: O(log *n*)
  mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    elements[0] = last
    sink(from: 0)
    return first
  }

  /// Removes all but the least elements.
  ///
  /// - Complexity: O(*n* log *n*)
  mutating func keepLeast(_ count: Int) {
    // Sorted elements are a heap.
    elements.sort()
    elements.removeLast(max(0, elements.count - count))
  }

  private mutating func sink(from start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < elements.count {
        if elements[child] < elements[least] { least = child }
      }
      if least == place { return }
      elements.swapAt(place, least)
      place = least
    }
  }
}
