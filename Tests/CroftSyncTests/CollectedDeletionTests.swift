import Croft
import Testing

@testable import CroftSync

/// Changes that the server has and whose answer was lost, while others delete the object and the server forgets that.
@Suite struct CollectedDeletionTests {
  private func space() throws -> Space {
    let space = try Space([0, 0])
    for number in [0, 1] { try space.sync(number) }
    return space
  }

  /// The server gets all changes of the first store, which does not hear of it.
  @discardableResult
  private func send(_ space: Space) throws -> (push: SyncPush, answer: SyncPushAnswer) {
    let push = try #require(try space.replicas[0].makePush())
    let answer = space.server.push(push)
    try #require(answer.status == .accepted)
    return (push, answer)
  }

  /// The second store deletes an object, and the server forgets the deletion.
  private func forget(_ id: Int, _ space: Space) throws {
    try space.sync(1)
    #expect(try space.store(1).get(Guest.self, id) != nil)
    try space.store(1).write { _ = try $0.delete(Guest.self, id) }
    try space.sync(1)
    space.server.collect(before: space.server.version)
  }

  private func expect(_ guests: [Guest], _ space: Space) throws {
    for number in [0, 1, 0] { try space.sync(number) }
    for number in [0, 1] {
      #expect(try space.store(number).world().guests == guests, "replica \(number)")
      #expect(try space.store(number).outbox().isEmpty && space.replicas[number].state.sent == nil)
      #expect(try space.store(number).verify().problems == [])
    }
  }

  /// A server that is restored to a time before the collection has the deletion again, which a load may have passed.
  ///
  /// An insertion under the key was refused then, without an end.
  @Test(arguments: [false, true])
  func aRestoredServerWithItsTombstonesIsReadAgain(isLoading: Bool) throws {
    let space = try space()
    try space.store(1).write { try $0.insert(Guest(id: 1, title: 1, number: 0)) }
    for number in [1, 0] { try space.sync(number) }
    try space.store(1).write { tx in
      _ = try tx.delete(Guest.self, 1)
      try tx.insert(Guest(id: 2, title: 2, number: 0))
    }
    try space.sync(1)
    let version = space.server.version
    try space.store(1).write { try $0.insert(Guest(id: 3, title: 3, number: 0)) }
    try space.sync(1)
    let backup = space.server.backUp()
    space.server.collect(before: space.server.version)
    if isLoading {
      try space.introduce(0)
      repeat {
        try space.pull(0, limit: 1)
      } while space.replicas[0].state.staged.map { $0.version < version } ?? false
      #expect(space.replicas[0].state.staged?.version == version)
    } else {
      try space.sync(0)
    }
    space.server.restore(backup)
    try space.introduce(0)
    repeat { try space.pull(0) } while space.replicas[0].state.staged != nil
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 4, number: 0)) }
    try send(space)
    let guests = [(1, 4), (2, 2), (3, 3)].map { Guest(id: $0, title: $1, number: 0) }
    try expect(guests, space)
  }

  /// An insertion does not come back, and later ones are not lost.
  @Test(arguments: [false, true], [false, true])
  func anInsertionDoesNotComeBack(isEdited: Bool, isReopened: Bool) throws {
    let space = try space()
    try space.store(0).write { tx in
      for id in [1, 3] { try tx.insert(Guest(id: id, title: id, number: 0)) }
    }
    try send(space)
    try space.store(0).write { tx in
      if isEdited { _ = try tx.update(Guest.self, 1) { $0.title = 5 } }
      try tx.insert(Guest(id: 2, title: 2, number: 0))
    }
    if isReopened { try space.reopen(0, World.models) }
    try forget(1, space)
    try expect([2, 3].map { Guest(id: $0, title: $0, number: 0) }, space)
  }

  /// The answer to a hello is lost, and the next one asks again.
  @Test func aHelloThatComesTwiceAsksAgain() throws {
    let space = try space()
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    try send(space)
    try forget(1, space)
    _ = try space.server.hello(try space.replicas[0].makeHello())
    try expect([], space)
  }

  /// The object that replaces another one does not come back either.
  @Test func aReplacementDoesNotComeBack() throws {
    let space = try space()
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    for number in [0, 1] { try space.sync(number) }
    try space.store(0).write { tx in
      _ = try tx.delete(Guest.self, 1)
      try tx.insert(Guest(id: 1, title: 1, number: 0))
    }
    try send(space)
    try forget(1, space)
    try expect([], space)
  }

  /// An edit is of an object that is gone.
  @Test func anEditDoesNotBringItsObjectBack() throws {
    let space = try space()
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    for number in [0, 1] { try space.sync(number) }
    try space.store(0).write { tx in _ = try tx.update(Guest.self, 1) { $0.title = 1 } }
    try send(space)
    try forget(1, space)
    try expect([], space)
  }

  /// A deletion of which nothing was heard is forgotten by the server: it is over, and the key is free.
  @Test(arguments: [false, true]) func aDeletionIsOver(isInsertedAgain: Bool) throws {
    let space = try space()
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    for number in [0, 1] { try space.sync(number) }
    try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    try send(space)
    try space.sync(1)
    space.server.collect(before: space.server.version)
    let guest = Guest(id: 1, title: 2, number: 0)
    if isInsertedAgain { try space.store(0).write { try $0.insert(guest) } }
    try expect(isInsertedAgain ? [guest] : [], space)
  }

  /// An object that was sent is deleted here, and by another store; under its key there is room.
  @Test(arguments: [false, true])
  func anInsertionThatIsDeletedHereIsOver(isInsertedAgain: Bool) throws {
    let space = try space()
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    try send(space)
    try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    let guest = Guest(id: 1, title: 2, number: 0)
    if isInsertedAgain { try space.store(0).write { try $0.insert(guest) } }
    try forget(1, space)
    try expect(isInsertedAgain ? [guest] : [], space)
  }

  /// The server never had an insertion, and takes it no more when the next session has begun: it is sent again.
  @Test func whatNeverArrivedIsNotLost() throws {
    let space = try space()
    let guest = Guest(id: 1, title: 0, number: 0)
    try space.store(0).write { try $0.insert(guest) }
    let push = try #require(try space.replicas[0].makePush())
    try space.store(1).write { try $0.insert(Guest(id: 2, title: 0, number: 0)) }
    try forget(2, space)
    try space.introduce(0)
    #expect(space.server.push(push).status == .unknownReplica)
    try expect([guest], space)
  }

  /// A restored server does not have it either.
  @Test func whatARestoredServerLostIsSentAgain() throws {
    let space = try space()
    let guest = Guest(id: 1, title: 0, number: 0)
    try space.store(0).write { try $0.insert(guest) }
    let backup = space.server.backUp()
    try send(space)
    // The next session finds the push, and ends before it has pulled.
    try space.introduce(0)
    #expect(space.replicas[0].state.sent?.hasArrived == true)
    space.server.restore(backup)
    try space.store(1).write { try $0.insert(Guest(id: 2, title: 0, number: 0)) }
    try forget(2, space)
    try expect([guest], space)
  }

  /// The answer comes, with the rows of a later time when the deletion is forgotten.
  @Test func anAnswerThatComesLateIsEnough() throws {
    let space = try space()
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    let (push, first) = try send(space)
    try forget(1, space)
    var answer = first
    answer.pull = space.server.pull(with: push, limit: 100)
    try space.replicas[0].receive(answer, to: push)
    #expect(space.replicas[0].state.sent?.hasArrived == true)
    // Without another session, which would ask.
    try space.pull(0)
    #expect(try space.store(0).world().guests == [])
    try expect([], space)
  }
}
