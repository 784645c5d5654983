public import Synchronization

/// One observer in a broadcast: its seat and its sink, each retained by the list.
@usableFromInline
struct Row {
  @usableFromInline let seat: Unmanaged<Seat>
  // Not a sink of the element's type: a list of rows that do not depend on it is concrete code,
  // and many times as fast where the element's type is unknown.
  @usableFromInline let sink: Unmanaged<AnyObject>
}

/// Delivers what one source sends to many observers, in the order in which they subscribed.
///
/// Events are accepted in one order, even when they are sent by several threads or from within
/// handlers, and every observer sees them in that order. An observer gets what is accepted
/// after it subscribed. With a memory, it first gets what the memory holds, on its own thread
/// and before its subscription returns.
@usableFromInline
final class Broadcast<Element>: SeatKeeper, @unchecked Sendable {
  // Unchecked: the drain's owner alone touches seats and ending; the rest guards itself.

  @usableFromInline let drain = Drain()
  /// How many events are kept for observers to come; zero keeps the lock out of sending.
  @usableFromInline let capacity: Int
  // Touched by the drain's owner alone, between deliveries, so never while it is iterated: the
  // dynamic exclusivity check would cost more than the delivery.
  @exclusivity(unchecked) @usableFromInline var seats = KeyedList<Row>()
  /// The end that was delivered; touched by the drain's owner alone.
  private var ending: Ending?
  private let observers = Atomic<Int>(0)
  /// Whether an end was accepted; set under the lock, and read without it.
  private let hasEnded = Atomic<Bool>(false)
  @usableFromInline let lock = Guarded(())
  // Reached under the lock only; the exclusivity check is waived as for the seats.
  @exclusivity(unchecked) @usableFromInline var memory: Memory<Element>

  init(memory: Memory<Element> = Memory(capacity: 0)) {
    capacity = memory.capacity
    self.memory = memory
  }

  deinit {
    seats.removeAll().forEach(release)
  }

  /// Whether somebody is subscribed.
  var hasObservers: Bool { observers.load(ordering: .relaxed) > 0 }

  /// What the memory holds right now.
  func recall<Result>(_ body: (borrowing Memory<Element>) -> Result) -> Result {
    lock.withLock { _ in body(memory) }
  }

  /// Sends an element to everybody who is subscribed.
  @inlinable
  func next(_ element: Element) {
    let isOwner =
      capacity == 0
      ? drain.enter() || drain.post({ self.deliver(element) })
      : remember(element)
    if isOwner {
      deliver(element)
      drain.leave()
    }
  }

  /// Ends it for everybody, and for everybody to come.
  func done(_ error: (any Error)?) {
    end(Ending(error: error, isSilent: false))
  }

  /// Lets go of everybody without a word; whoever comes later gets the error.
  func close(_ error: any Error) {
    end(Ending(error: error, isSilent: true))
  }

  /// Subscribes a sink.
  func add(_ sink: Sink<Element>) {
    let seat = Seat(in: self, isReplaying: capacity > 0)
    sink.attach(seat)
    // An end that was accepted is told at once, also while it is on its way to others: who
    // subscribes again from within its handler has to know that it ended.
    guard capacity > 0 || hasEnded.load(ordering: .acquiring) else {
      if drain.enter() || drain.post({ self.admit(seat, sink) }) {
        admit(seat, sink)
        drain.leave()
      }
      return
    }
    var backlog: ContiguousArray<Element> = []
    var ending: Ending?
    let isOwner = lock.withLock { _ in
      backlog = memory.backlog
      ending = memory.ending
      return ending == nil && (drain.enter() || drain.post({ self.admit(seat, sink) }))
    }
    if isOwner {
      admit(seat, sink)
      drain.leave()
    }
    for element in backlog where !seat.isGone { sink.next(element) }
    if let ending, seat.vacate() { sink.done(ending.error) }
    if capacity > 0 { seat.endReplay() }
  }

  @usableFromInline
  func seatWasLeft(_ seat: Seat) {
    if drain.enter() || drain.post({ self.evict(seat) }) {
      evict(seat)
      drain.leave()
    }
  }
}

// What the drain's owner does.
extension Broadcast {
  @inlinable
  func deliver(_ element: Element) {
    if let row = seats.first { deliver(element, to: row) }
    // By index: an iterator would retain the storage, once per event.
    for index in 0..<seats.rest.count {
      if let row = seats.rest[index].value { deliver(element, to: row) }
    }
  }

  @inlinable
  func deliver(_ element: Element, to row: Row) {
    // Safety: the list holds a reference to both, and nobody changes it during a delivery.
    row.seat._withUnsafeGuaranteedRef { seat in
      row.sink._withUnsafeGuaranteedRef { object in
        let sink = unsafeDowncast(object, to: Sink<Element>.self)
        let status = seat.status.load(ordering: .acquiring)
        if status == Seat.live {
          sink.next(element)
        } else if status == Seat.replaying {
          holdBack(element, seat, sink)
        }
      }
    }
  }

  @inline(never)
  @usableFromInline
  func holdBack(_ element: Element, _ seat: Seat, _ sink: Sink<Element>) {
    if seat.gate.enter()
      || seat.gate.post({ if !seat.isGone { sink.next(element) } })
    {
      if !seat.isGone { sink.next(element) }
      seat.gate.leave()
    }
  }

  private func admit(_ seat: Seat, _ sink: Sink<Element>) {
    if let ending {
      finish(seat, sink, ending)
    } else if !seat.isGone {
      let row = Row(seat: .passRetained(seat), sink: .passRetained(sink))
      seat.row = seats.insert(row)
      observers.add(1, ordering: .relaxed)
    }
  }

  private func evict(_ seat: Seat) {
    guard let row = seats.remove(seat.row) else { return }
    observers.subtract(1, ordering: .relaxed)
    release(row)
  }

  private func conclude(_ ending: Ending) {
    guard self.ending == nil else { return }
    self.ending = ending
    let rows = seats.removeAll()
    observers.store(0, ordering: .relaxed)
    rows.forEach { row in
      // Safety: these references were the list's, and what it holds beside a seat is a sink of
      // this broadcast's element.
      let seat = row.seat.takeRetainedValue()
      let object = row.sink.takeRetainedValue()
      if ending.isSilent {
        _ = seat.vacate()
      } else {
        finish(seat, unsafeDowncast(object, to: Sink<Element>.self), ending)
      }
    }
  }

  private func finish(_ seat: Seat, _ sink: Sink<Element>, _ ending: Ending) {
    seat.gate.run {
      if seat.vacate() { sink.done(ending.error) }
    }
  }

  private func release(_ row: Row) {
    row.seat.release()
    row.sink.release()
  }
}

// What happens on acceptance, under the memory's lock.
extension Broadcast {
  @inlinable
  func remember(_ element: Element) -> Bool {
    var displaced: Element?
    let isOwner = lock.withLock { _ in
      guard memory.ending == nil else { return false }
      displaced = memory.push(element)
      return drain.enter() || drain.post({ self.deliver(element) })
    }
    // Released here, and not under the lock: it may have a deinitialiser.
    _ = displaced
    return isOwner
  }

  private func end(_ ending: Ending) {
    // What is forgotten is released outside of the lock: it may have deinitialisers.
    var forgotten: ContiguousArray<Element> = []
    let isOwner = lock.withLock { _ in
      guard memory.ending == nil else { return false }
      memory.ending = ending
      hasEnded.store(true, ordering: .releasing)
      if ending.isSilent { swap(&forgotten, &memory.elements) }
      return drain.enter() || drain.post({ self.conclude(ending) })
    }
    if isOwner {
      conclude(ending)
      drain.leave()
    }
  }
}
