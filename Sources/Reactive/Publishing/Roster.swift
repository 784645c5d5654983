/// The objects that are subscribed to a broadcast, each held weakly.
///
/// It knows who is subscribed; the broadcast knows in which order. No callback runs, and no
/// reference to a user's object is let go, under its lock.
final class Roster<Element>: MembershipKeeper, @unchecked Sendable {
  // Unchecked: the broadcast and the book guard themselves.

  private struct Book {
    /// By the address of the object.
    ///
    /// Those of an object that is gone may stand beside those of one that was given its address:
    /// they stay silent, and are struck off together.
    var members: [ObjectIdentifier: [Membership]] = [:]
    var count = 0
    /// How many there may be until the dead ones are looked for.
    var sweepAt = 32
  }

  let broadcast: Broadcast<Element>
  private let book = Guarded(Book())

  init(_ broadcast: Broadcast<Element> = Broadcast()) {
    self.broadcast = broadcast
  }

  /// Enters an object, in place of its earlier memberships or beside them.
  func enrol(_ object: AnyObject, isReplacing: Bool) -> Membership {
    let membership = Membership(of: object, in: self)
    let (displaced, isCrowded) = book.withLock { book in
      let earlier = book.members[membership.key] ?? []
      book.members[membership.key] = isReplacing ? [membership] : earlier + [membership]
      book.count += isReplacing ? 1 - earlier.count : 1
      return (isReplacing ? earlier : [], book.count >= book.sweepAt)
    }
    for member in displaced { member.dispose() }
    if isCrowded { sweep() }
    return membership
  }

  /// Begins to deliver to a member, after all that were begun before.
  ///
  /// - Parameters:
  ///   - skipsReplay: whether what the broadcast's memory holds is kept from the member.
  ///   - handler: takes an element; false when its object is gone.
  func start(
    _ membership: Membership, skipsReplay: Bool = false, _ handler: @escaping (Element) -> Bool
  ) {
    broadcast.add(MemberSink(membership, skipsReplay: skipsReplay, handler))
  }

  /// Ends all memberships of an object.
  func strike(_ object: AnyObject) {
    let key = ObjectIdentifier(object)
    let struck = book.withLock { book in
      let struck = book.members.removeValue(forKey: key) ?? []
      book.count -= struck.count
      return struck
    }
    for member in struck { member.dispose() }
  }

  func forget(_ membership: Membership) {
    book.withLock { book in
      guard var members = book.members[membership.key],
        let index = members.firstIndex(where: { $0 === membership })
      else { return }
      members.remove(at: index)
      book.members[membership.key] = members.isEmpty ? nil : members
      book.count -= 1
    }
  }

  /// Ends the memberships of objects that are gone, where nothing is sent that would notice.
  ///
  /// Looking after every doubling keeps the cost of subscribing constant.
  private func sweep() {
    let members = book.withLock { $0.members.values.flatMap { $0 } }
    // Not under the lock: asking whether an object is alive may be what it lived for.
    let dead = members.filter { $0.isOrphaned }
    for member in dead { member.dispose() }
    book.withLock { $0.sweepAt = max(32, 2 * $0.count) }
  }
}

/// Delivers to one member.
private final class MemberSink<Element>: Sink<Element> {
  private let membership: Membership
  /// Whether the element to come is the one of the memory, and not wanted.
  ///
  /// Protected by the rule that calls to a sink never overlap.
  private var isSkipping: Bool
  private let handler: (Element) -> Bool

  init(_ membership: Membership, skipsReplay: Bool, _ handler: @escaping (Element) -> Bool) {
    self.membership = membership
    isSkipping = skipsReplay
    self.handler = handler
  }

  override func attach(_ upstream: any Disposable) { membership.attach(upstream) }

  override func next(_ element: Element) {
    if isSkipping {
      isSkipping = false
    } else if !membership.isDisposed, !handler(element) {
      membership.dispose()
    }
  }
}
