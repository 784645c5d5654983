/// One subscription of an object, and the handle that gives it up.
final class Membership: Cancelable, @unchecked Sendable {
  // Unchecked: the reference to the object never changes, and is only asked whether it is nil.

  /// The address of the object.
  let key: ObjectIdentifier
  private let object: WeakRef<AnyObject>
  private weak let roster: (any MembershipKeeper)?
  private let upstream = Upstream()

  init(of object: AnyObject, in roster: any MembershipKeeper) {
    key = ObjectIdentifier(object)
    self.object = WeakRef(object)
    self.roster = roster
  }

  var isDisposed: Bool { upstream.isDisposed }

  /// Whether the object is gone.
  var isOrphaned: Bool { object.value == nil }

  /// Takes the handle that stops the delivery.
  func attach(_ disposable: any Disposable) { upstream.attach(disposable) }

  func dispose() {
    guard upstream.close() else { return }
    upstream.release()
    roster?.forget(self)
  }
}

/// What a membership tells when it ended.
protocol MembershipKeeper: AnyObject, Sendable {
  func forget(_ membership: Membership)
}
