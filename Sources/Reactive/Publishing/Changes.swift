/// A property's value before and after it was assigned.
public struct Changes<Property> {
  /// The value before.
  public var old: Property
  /// The value after.
  public var new: Property

  /// Makes a change from one value to another.
  public init(old: Property, new: Property) {
    self.old = old
    self.new = new
  }
}

extension Changes: Sendable where Property: Sendable {}
extension Changes: Equatable where Property: Equatable {}
extension Changes: Hashable where Property: Hashable {}

extension Broadcast {
  /// Makes a value the current one and sends the change from the one before, as one step.
  ///
  /// The memory keeps the current value alone, as a change to itself: that is what an immediate
  /// subscriber gets, and a value that was replaced is not kept alive.
  func change<Value>(to value: Value) where Element == Changes<Value> {
    let settled = Changes(old: value, new: value)
    var displaced: Element?
    var changes = settled
    let isOwner = lock.withLock { _ in
      displaced = memory.push(settled)
      if let displaced { changes.old = displaced.new }
      return drain.enter() || drain.post({ [changes] in self.deliver(changes) })
    }
    // Released here, and not under the lock: it may have a deinitialiser.
    displaced = nil
    if isOwner {
      deliver(changes)
      drain.leave()
    }
  }

  /// Sends what the memory holds once more.
  func resend() {
    var last: Element?
    let isOwner = lock.withLock { _ in
      last = memory.last
      guard let last else { return false }
      return drain.enter() || drain.post({ self.deliver(last) })
    }
    if isOwner, let last {
      deliver(last)
      drain.leave()
    }
  }

  /// Sends an element that is not remembered.
  func pass(_ element: Element) {
    if drain.enter() || drain.post({ self.deliver(element) }) {
      deliver(element)
      drain.leave()
    }
  }
}
