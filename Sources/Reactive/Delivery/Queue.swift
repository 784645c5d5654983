/// First in, first out, in O(1) amortised each.
struct Queue<Element> {
  private var incoming: [Element] = []
  /// In reverse, so that the first one stands last.
  private var outgoing: [Element] = []

  var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  mutating func append(_ element: Element) { incoming.append(element) }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      // In place: the two buffers take turns, and a queue that stays short allocates nothing.
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }
}
