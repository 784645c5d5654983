import Croft
import Testing

@testable import CroftSync

/// A deletion that another replica's object denies is withdrawn, with all that it did.
@Suite struct WithdrawalTests {
  /// The objects that were deleted with the group are there again, and references to it too.
  ///
  /// They stayed deleted, and the references nil.
  @Test func whatWasDeletedWithAnObjectComesBackWithIt() throws {
    let space = try Space([0, 0])
    try space.store(0).write { tx in
      for id in 1...2 { try tx.insert(Group(id: id, name: "\(id)", color: 0)) }
      for id in 1...2 {
        try tx.insert(Part(id: id, title: id, number: 0, group: Ref(1)))
        try tx.insert(Guest(id: id, title: id, number: 0, group: Ref(1)))
      }
      try tx.insert(Guest(id: 3, title: 3, number: 0, group: Ref(2)))
    }
    for number in [0, 1] { try space.sync(number) }
    let before = try space.store(0).world()
    space.advance(milliseconds: 1_000)
    // One part is deleted for itself, in a transaction of its own, and stays deleted.
    try space.store(0).write { _ = try $0.delete(Part.self, 2) }
    space.advance(milliseconds: 1_000)
    try space.store(0).write { _ = try $0.delete(Group.self, 1) }
    #expect(try space.store(0).count(Part.all) == 0)
    // A guest goes elsewhere after that.
    space.advance(milliseconds: 1_000)
    try space.store(0).write { _ = try $0.update(Guest.self, 2) { $0.group = Ref(2) } }
    try space.store(1).write { try $0.insert(Anchor(id: 1, title: 0, number: 0, group: Ref(1))) }
    for number in [1, 0, 1, 0] { try space.sync(number) }
    for number in [0, 1] {
      let world = try space.store(number).world()
      #expect(world.groups == before.groups)
      #expect(world.parts == [before.parts[0]])
      #expect(world.guests.map(\.group) == [Ref(1), Ref(2), Ref(2)])
      #expect(world.anchors.count == 1)
      #expect(try space.store(number).verify().problems == [])
      #expect(try space.store(number).unsentCount() == 0)
    }
  }
}
