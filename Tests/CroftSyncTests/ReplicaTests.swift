import Croft
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CroftSync

/// What one replica does, step by step.
@Suite struct ReplicaTests {
  private static let day: Int64 = 86_400_000

  /// Of two edits that were made offline the later one stays, although its clock is two days late.
  ///
  /// Without the server's time it would be lost.
  @Test(arguments: [true, false])
  func theLaterEditStaysWhateverTheClocksSay(setsClock: Bool) throws {
    let space = try Space([0, Self.day, -Self.day])
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    try space.sync(0)
    for number in [1, 2] { try space.pull(number) }
    space.advance(milliseconds: 60_000)
    try space.store(1).write { _ = try $0.update(Guest.self, 1) { $0.title = 1 } }
    space.advance(milliseconds: 60_000)
    try space.store(2).write { _ = try $0.update(Guest.self, 1) { $0.title = 2 } }
    space.advance(milliseconds: 60_000)
    for number in [1, 2, 0, 1, 2] { try space.sync(number, setsClock: setsClock) }
    for number in 0..<3 {
      #expect(try space.store(number).get(Guest.self, 1)?.title == (setsClock ? 2 : 1))
    }
  }

  /// The order of a program's own edits stays, also where its clock was set back between them.
  @Test func theOrderOfUnsentChangesStays() throws {
    let space = try Space([5 * Self.day])
    let store = space.store(0)
    for id in 0..<9 { try store.write { try $0.insert(Guest(id: id, title: 0, number: 0)) } }
    let before = try store.outbox().sorted { $0.value.stamp < $1.value.stamp }.map(\.key)
    try space.introduce(0)
    let after = try store.outbox().sorted { $0.value.stamp < $1.value.stamp }
    #expect(after.map(\.key) == before)
    #expect(after.allSatisfy { $0.value.stamp.time <= 1_000_000_000 << ReplicaClock.counterBits })
  }

  /// An object is deleted while the answer to its push is lost: the server has it, and loses it again.
  @Test func anObjectThatIsDeletedWhileItIsSentDoesNotComeBack() throws {
    let space = try Space([0, 0])
    try space.sync(0)
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    let push = try #require(try space.replicas[0].makePush())
    #expect(space.server.push(push).status == .accepted)
    try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    for number in [0, 1] { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).count(Guest.all) == 0) }
    #expect(space.server.rows.values.filter { !$0.isDeleted }.allSatisfy { $0.object.model == 0 })
  }

  /// An object that was replaced is deleted while the replacement is sent: it does not come back.
  ///
  /// The deletion was taken for one of the object before, and the object was written again.
  @Test(arguments: [true, false])
  func aReplacementThatIsDeletedWhileItIsSentDoesNotComeBack(isAnswered: Bool) throws {
    let space = try Space([0, 0])
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    try space.sync(0)
    try space.store(0).write { tx in
      _ = try tx.delete(Guest.self, 1)
      try tx.insert(Guest(id: 1, title: 5, number: 0))
    }
    let push = try #require(try space.replicas[0].makePush())
    let answer = space.server.push(push)
    #expect(answer.status == .accepted)
    try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    if isAnswered { try space.replicas[0].receive(answer, to: push) }
    for number in [0, 1] { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).count(Guest.all) == 0) }
  }

  /// An object is replaced while it is sent: what others do with the first one is not done to the second one.
  ///
  /// The two were taken for one object, whose later edit by the other store stayed.
  @Test(arguments: [true, false])
  func anObjectThatIsReplacedWhileItIsSentIsAnotherOne(isEdited: Bool) throws {
    let space = try Space([0, 0])
    for number in [0, 1] { try space.sync(number) }
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 1, number: 0)) }
    let push = try #require(try space.replicas[0].makePush())
    #expect(space.server.push(push).status == .accepted)
    try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 2, number: 0)) }
    space.advance(milliseconds: 60_000)
    try space.sync(1)
    try space.store(1).write { tx in
      if isEdited {
        _ = try tx.update(Guest.self, 1) { $0.number = 7 }
      } else {
        try tx.delete(Guest.self, 1)
      }
    }
    for number in [1, 0, 1] { try space.sync(number) }
    for number in [0, 1] {
      let guests = try space.store(number).world().guests
      #expect(guests == [Guest(id: 1, title: 2, number: 0)], "replica \(number)")
    }
  }

  /// A copy of a store deletes an object that the original has replaced: it has not seen the new one.
  ///
  /// The new one has the number that the copy had, by which it was taken for one of the copy's own.
  @Test func aCopyDeletesOnlyWhatItHasSeen() throws {
    let space = try Space([0])
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    try space.sync(0)
    try space.copy(0)
    try space.store(0).write { tx in
      _ = try tx.delete(Guest.self, 1)
      try tx.insert(Guest(id: 1, title: 5, number: 0))
    }
    try space.sync(0)
    space.advance(milliseconds: 60_000)
    try space.store(1).write { _ = try $0.delete(Guest.self, 1) }
    for number in [1, 0] { try space.sync(number) }
    for number in [0, 1] {
      #expect(try space.store(number).world().guests.map(\.title) == [5], "replica \(number)")
    }
  }

  /// A store deletes an object whose push was lost: a copy of the store does not send it again.
  ///
  /// The row of the deletion had the stamp of the deletion, so that the copy's insertion was another one's.
  @Test func aCopyDoesNotInsertWhatTheOriginalHasDeleted() throws {
    let space = try Space([0])
    try space.sync(0)
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    _ = try #require(try space.replicas[0].makePush())
    try space.copy(0)
    try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    for number in [0, 1, 0] { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).count(Guest.all) == 0) }
  }

  /// A store deletes two objects of one key whose pushes were lost: a copy of it inserts neither again.
  ///
  /// The row of the deletion had the stamp of one of them only.
  @Test(arguments: [0, 1])
  func aCopyInsertsNoneOfWhatTheOriginalHasDeleted(copied: Int) throws {
    let space = try Space([0])
    try space.sync(0)
    for number in [0, 1] {
      try space.store(0).write { try $0.insert(Guest(id: 1, title: number, number: 0)) }
      _ = try #require(try space.replicas[0].makePush())
      if number == copied { try space.copy(0) }
      try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    }
    for number in [0, 1, 0] { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).count(Guest.all) == 0) }
  }

  /// An object was replaced, and the new one was deleted, before its store heard that it was there.
  ///
  /// The row of the deletion named the new one only, so that the first one was inserted again.
  @Test(arguments: [true, false])
  func whatOthersHaveReplacedIsNotInsertedAgain(isDeleted: Bool) throws {
    let space = try Space([0, 0])
    for number in [0, 1] { try space.sync(number) }
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 1, number: 0)) }
    let push = try #require(try space.replicas[0].makePush())
    #expect(space.server.push(push).status == .accepted)
    space.advance(milliseconds: 60_000)
    try space.sync(1)
    try space.store(1).write { tx in
      _ = try tx.delete(Guest.self, 1)
      try tx.insert(Guest(id: 1, title: 2, number: 0))
    }
    try space.sync(1)
    if isDeleted { try space.store(1).write { _ = try $0.delete(Guest.self, 1) } }
    // An edit of the first one is none of the second one.
    space.advance(milliseconds: 60_000)
    try space.store(0).write { tx in _ = try tx.update(Guest.self, 1) { $0.number = 7 } }
    for number in [1, 0, 1] { try space.sync(number) }
    let expected = isDeleted ? [] : [Guest(id: 1, title: 2, number: 0)]
    for number in [0, 1] {
      #expect(try space.store(number).world().guests == expected, "replica \(number)")
    }
  }

  /// A server is restored that has an object again, which was deleted, as others under its key were since.
  ///
  /// The deletion that is given back was of the last one only, and of no other one the server had.
  @Test(arguments: [[0, 1, 0], [1, 0, 1]], [1, 2])
  func aDeletionIsGivenBackOfAllThatWereDeleted(order: [Int], backedUp: Int) throws {
    let space = try Space([0, 0])
    try space.sync(1)
    var backup = space.server.backUp()
    for number in 0..<3 {
      try space.store(0).write { try $0.insert(Guest(id: 1, title: number, number: 0)) }
      try space.sync(0)
      if number < backedUp { try space.sync(1) }
      if number == backedUp - 1 { backup = space.server.backUp() }
      try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
      try space.sync(0)
    }
    space.server.restore(backup)
    for number in order { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).count(Guest.all) == 0) }
  }

  /// Of very many earlier objects a row names the latest, and replicas come to rest all the same.
  @Test func aRowNamesSoManyEarlierObjects() throws {
    let space = try Space([0])
    try space.sync(0)
    for number in 0...ServerRow.mostPriorInsertions + 5 {
      try space.store(0).write { try $0.insert(Guest(id: 1, title: number, number: 0)) }
      _ = try #require(try space.replicas[0].makePush())
      try space.store(0).write { _ = try $0.delete(Guest.self, 1) }
    }
    try space.sync(0)
    #expect(try space.store(0).outbox().isEmpty)
    let row = try #require(space.server.rows.values.first { $0.isDeleted })
    #expect(ServerRow(row)?.priorInsertions.count == ServerRow.mostPriorInsertions)
  }

  /// An edit is taken back while it is sent: what the user wrote last stays.
  ///
  /// The value was the server's again, so that nothing was to be sent, and the answer brought the edit back.
  @Test(arguments: [true, false])
  func anEditThatIsTakenBackWhileItIsSentStaysSo(isAnswered: Bool) throws {
    let space = try Space([0, 0])
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    try space.sync(0)
    try space.store(0).write { _ = try $0.update(Guest.self, 1) { $0.title = 1 } }
    let push = try #require(try space.replicas[0].makePush())
    let answer = space.server.push(push)
    #expect(answer.status == .accepted)
    try space.store(0).write { _ = try $0.update(Guest.self, 1) { $0.title = 0 } }
    if isAnswered { try space.replicas[0].receive(answer, to: push) }
    for number in [0, 1] { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).get(Guest.self, 1)?.title == 0) }
    // Taken back before anything is sent, nothing is left to send.
    try space.store(0).write { _ = try $0.update(Guest.self, 1) { $0.title = 2 } }
    try space.store(0).write { _ = try $0.update(Guest.self, 1) { $0.title = 0 } }
    #expect(try space.replicas[0].makePush() == nil)
  }

  /// Where deletions were forgotten, the rows that come with the answer to a push are not all that there are.
  @Test func aPushAfterWhichDeletionsAreForgottenIsFollowedByAllRows() throws {
    let space = try Space([0, 0])
    try space.introduce(0)
    let first = space.replicas[0]
    let push = try #require(try first.makePush())
    var answer = space.server.push(push)
    #expect(push.cursor == 0 && answer.status == .accepted)
    try space.store(1).write { tx in
      for id in 1...2 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    try space.sync(1)
    try space.store(1).write { _ = try $0.delete(Guest.self, 1) }
    try space.sync(1)
    space.server.collect(before: space.server.version)
    // The rows are read late, and the answer comes twice.
    answer.pull = space.server.pull(with: push, limit: 100)
    for _ in 0..<2 {
      try first.receive(answer, to: push)
      #expect(first.state.staged == SyncPosition(0))
    }
    try space.sync(0)
    #expect(first.cursor == space.server.version && !first.state.isFull)
    #expect(try space.store(0).world() == space.store(1).world())
    #expect(try space.store(0).count(Guest.all) == 1)
  }

  /// A push comes again when its identity is forgotten: law 8, it costs one conflict, and nothing is written twice.
  @Test func aPushThatComesAgainAfterItsIdentityIsForgottenIsAConflict() throws {
    let space = try Space([0, 0])
    for number in [0, 1] { try space.sync(number) }
    try space.store(0).write { tx in
      for id in 1...2 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    let push = try #require(try space.replicas[0].makePush())
    #expect(space.server.push(push).status == .accepted)
    // The last push of a replica is not forgotten, so that another one has to come.
    let last = SyncPush(
      id: UUID(), replica: push.replica, cursor: push.cursor, isStrict: false,
      last: SyncPush.Part(rows: [], references: []))
    #expect(space.server.push(last).status == .accepted)
    try space.sync(1)
    try space.store(1).write { _ = try $0.update(Guest.self, 1) { $0.title = 5 } }
    try space.sync(1)
    space.server.collect(before: space.server.version)
    let version = space.server.version
    let answer = space.server.push(push)
    #expect(answer.status == .conflict)
    try space.replicas[0].receive(answer, to: push)
    for number in [0, 1] { try space.sync(number) }
    #expect(space.server.version == version)
    for number in [0, 1] {
      #expect(try space.store(number).outbox().isEmpty)
      #expect(try space.store(number).world().guests.map(\.title) == [5, 0])
    }
  }

  /// What a cascade removed must stay: so must what it was removed with.
  ///
  /// The deletion that was withdrawn was made again by the cascade, without end.
  @Test func aDeletionByCascadeThatIsDeniedIsWithdrawnWhole() throws {
    let space = try Space([0, 0], models: World.models + [Clasp.self])
    try space.store(0).write { tx in
      try tx.insert(Group(id: 1, name: "a", color: 0))
      try tx.insert(Part(id: 1, title: 0, number: 0, group: Ref(1)))
    }
    for number in [0, 1] { try space.sync(number) }
    try space.store(0).write { _ = try $0.delete(Group.self, 1) }
    #expect(try space.store(0).count(Part.all) == 0)
    try space.store(1).write { try $0.insert(Clasp(id: 1, part: Ref(1))) }
    for number in [1, 0, 1, 0] { try space.sync(number) }
    for number in [0, 1] {
      let store = space.store(number)
      #expect(try store.count(Group.all) == 1 && store.count(Part.all) == 1)
      #expect(try store.count(Clasp.all) == 1)
      #expect(try store.verify().problems == [])
    }
  }

  /// A replica that may only read gets what others push, with the number that it has.
  @Test func aReaderNeedsNoNumber() throws {
    let space = try Space([0, 0])
    try space.store(0).write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    try space.sync(0)
    let reader = space.replicas[1]
    var answer = try space.server.hello(try reader.makeHello())
    answer.number = 0
    try reader.receive(answer, local: answer.time)
    try space.pull(1)
    #expect(try space.store(1).count(Guest.all) == 1)
  }

  /// A later version of the program has a model of its own that refers to a shared one.
  ///
  /// A pull that deleted a shared object ended the process.
  @Test func aLaterModelThatRefersToASharedOneIsRefused() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.croft").path
    do {
      let store = try Store.open(path: path, listed: World.models, options: .simulated)
      try store.replicate(World.models, as: 1)
    }
    let models: [any Model.Type] = World.models + [Clasp.self]
    let store = try Store.open(path: path, listed: models, options: .simulated)
    #expect(throws: StoreError.self) { try store.replicate(World.models, as: 1) }
    try store.write { tx in
      try tx.insert(Group(id: 1, name: "a", color: 0))
      try tx.insert(Part(id: 1, title: 0, number: 0, group: Ref(1)))
    }
    try store.writeRemote { tx in
      let part = ObjectKey(model: try tx.number(of: Part.self), key: [])
      #expect(throws: StoreError.self) { try tx.references(to: part) }
    }
  }

  /// Rows that were staged, and that the server has lost since, are not applied.
  @Test func stagedRowsOfAnotherLineageAreForgotten() throws {
    let space = try Space([0, 0])
    try space.sync(0)
    let backup = space.server.backUp()
    try space.sync(1)
    for id in 1...3 {
      try space.store(0).write { try $0.insert(Guest(id: id, title: 0, number: 0)) }
      try space.sync(0)
    }
    try space.pull(1, limit: 2)
    #expect(space.replicas[1].state.staged != nil)
    space.server.restore(backup)
    try space.store(0).write { try $0.deleteAll(Guest.self) }
    try space.store(0).write { try $0.insert(Guest(id: 7, title: 0, number: 0)) }
    for number in [1, 0, 1] { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).world().guests.map(\.id) == [7]) }
  }

  /// Of many versions the latest ones are known, and of earlier ones fewer.
  @Test func aLineageStaysShort() throws {
    var lineage = Lineage()
    let pushes = Dictionary(uniqueKeysWithValues: (1...5_000).map { (UInt64($0), UUID()) })
    for version in 1...5_000 as ClosedRange<UInt64> {
      lineage.note(version, try #require(pushes[version]))
    }
    #expect(lineage.versions.suffix(64) == Array(4_937...5_000)[...])
    #expect(lineage.versions.count < 64 + 16)
    #expect(lineage.isSame(as: pushes, floor: 0))
    // A backup of version 3,000: the versions before that are known to be common are not far.
    let restored = pushes.filter { $0.key <= 3_000 }
    #expect(!lineage.isSame(as: restored, floor: 0))
    let common = lineage.lastCommon(with: restored, floor: 0)
    #expect(common <= 3_000 && common > 0)
    var bytes: [UInt8] = []
    lineage.append(to: &bytes)
    var reader = ByteReader(bytes[...])
    #expect(Lineage(&reader) == lineage)
    // A push that comes late is put into its place.
    lineage.note(4_000, UUID())
    #expect(lineage.versions == lineage.versions.sorted())
  }

  /// A new object whose unique name is taken is dropped, and what referred to it refers to the other one.
  @Test func aNewObjectIsAdopted() throws {
    let space = try Space([0, 0])
    try space.store(0).write { try $0.insert(Group(id: 1, name: "home", color: 1)) }
    try space.sync(0)
    try space.store(1).write { tx in
      try tx.insert(Group(id: 2, name: "home", color: 2))
      try tx.insert(Part(id: 5, title: 0, number: 0, group: Ref(2)))
    }
    try space.sync(1)
    try space.sync(0)
    for number in [0, 1] {
      let world = try space.store(number).world()
      #expect(world.groups.map(\.id) == [1])
      #expect(world.parts.map(\.group) == [Ref(1)])
    }
  }

  /// Bytes of a row are read within their bounds, whatever they say.
  @Test func bytesThatAreNoRowAreRefused() {
    var random = SeededGenerator.forTest("rows of the server")
    var row = ServerRow(version: 7, born: Stamp(time: 8, replica: 9))
    row.stamps = [1: Stamp(time: 3, replica: 4)]
    row.fields = [1: OutboxEntry.Field([1, 2, 3]), 2: OutboxEntry.Field(nil)]
    let sent = SyncRow(row.pushed(as: SyncObject(model: 1, key: [1]), over: 6), version: 7)
    #expect(ServerRow(sent) == row)
    #expect(SyncRow(key: sent.key, sent.bytes) == sent)
    row.fields = [:]
    #expect(ServerRow(record: row.recordBytes) == row)
    var second = row
    second.addPriorInsertions([Stamp(time: 2, replica: 1), row.born, Stamp(time: 1, replica: 3)])
    #expect(second.priorInsertions.map(\.time) == [1, 2])
    #expect(ServerRow(record: second.recordBytes) == second)
    for count in 0..<second.recordBytes.count {
      #expect(ServerRow(record: Array(second.recordBytes.prefix(count))) == nil)
    }
    let resent = SyncRow(second.pushed(as: SyncObject(model: 1, key: [1]), over: 6), version: 7)
    #expect(ServerRow(resent) == second)
    for count in 0..<resent.stamps.count {
      var short = resent
      short.stamps = Array(resent.stamps.prefix(count))
      #expect(ServerRow(short) == nil)
    }
    let parts: [WritableKeyPath<SyncRow, [UInt8]>] = [\.stamps, \.valueBytes]
    for part in parts {
      let bytes = sent[keyPath: part]
      for count in 0..<bytes.count {
        var short = sent
        short[keyPath: part] = Array(bytes.prefix(count))
        #expect(ServerRow(short) == nil)
      }
      for _ in 0..<1_000 {
        var changed = sent
        changed[keyPath: part][random.below(bytes.count)] ^= UInt8(1 << random.below(8))
        _ = ServerRow(changed)
      }
    }
    // Many or late names would leave no room for those of objects that others delete.
    let most = ServerRow.mostPriorInsertions
    let hostileNames: [(Int, UInt64, Bool)] = [
      (most, 1, true), (most + 1, 1, false), (1, 1 << 63, false),
    ]
    for (count, time, isRead) in hostileNames {
      var hostile = sent
      hostile.stamps[0] = 2
      (0..<count).map { Stamp(time: time + UInt64($0), replica: 7) }
        .append(to: &hostile.stamps)
      #expect((ServerRow(hostile) != nil) == isRead)
    }
    var deleted = sent
    deleted.isDeleted = true
    #expect(ServerRow(deleted) == nil)
    let inputs = [
      [UInt8(resent.stamps.count)] + resent.stamps + (resent.fields ?? []), second.recordBytes,
      SyncPush.Part(rows: [row.pushed(as: sent.object, over: 6)], references: [sent.object]).bytes,
      Aside(row: sent, entry: OutboxEntry(.deletion, at: row.born), local: row.fields).bytes,
    ]
    for _ in 0..<Torture.steps(short: 3_000, long: 1_000_000) {
      var input = random.pick(inputs)
      for _ in 0..<random.below(4) {
        input[random.below(input.count)] ^= UInt8(1 << random.below(8))
      }
      FuzzedServerBytes.run(UInt8(random.below(256)), input)
    }
  }

  /// Rows whose bytes are not those of objects are set aside, and the store gets the true ones later.
  @Test func aStoreStaysSoundWhateverTheServerSends() throws {
    var random = SeededGenerator.forTest("hostile rows")
    let space = try Space([0, 0])
    try space.store(0).write { tx in
      try tx.insert(Group(id: 1, name: "home", color: 1))
      try tx.insert(Part(id: 5, title: 0, number: 0, group: Ref(1)))
    }
    try space.sync(0)
    let store = space.store(1)
    let pull = space.server.pull(after: SyncPosition(0), cursor: 0, limit: 100)
    let expected = try space.store(0).world()
    var (refused, aside) = (0, 0)
    for _ in 0..<Torture.steps(short: 300, long: 50_000) {
      var changed = pull
      let place = random.below(pull.rows.count)
      for _ in 0...random.below(2) { change(&changed.rows[place], &random) }
      let replica = try Replica(store)
      do { try replica.receive(changed, after: SyncPosition(0)) } catch is SyncError {
        refused += 1
      }
      #expect(try store.verify().problems == [], "seed \(random.seed)")
      if try replica.asideCount() > 0 {
        aside += 1
        // The same rows come as they were, written once more.
        var again = pull
        again.version += 1
        again.pushAtCursor = pull.push
        again.rows = pull.rows.map { row in
          var row = row
          row.version = again.version
          return row
        }
        let removed = changed.rows.filter { row in
          row.object.model != 0 && !pull.rows.contains { $0.object == row.object }
        }
        again.rows += removed.map { row in
          let tombstone = ServerRow(version: 0, isDeleted: true, born: Stamp(time: 1, replica: 1))
          return SyncRow(tombstone.pushed(as: row.object, over: 0), version: again.version)
        }
        again.rows.sort { $0.object < $1.object }
        try replica.receive(again, after: SyncPosition(pull.version))
        #expect(try store.world() == expected, "seed \(random.seed)")
        #expect(try replica.asideCount() == 0, "seed \(random.seed)")
      }
      try forget(store)
    }
    #expect(refused > 20 && aside > 30)
  }

  private func change(_ sent: inout SyncRow, _ random: inout SeededGenerator) {
    func bytes() -> [UInt8] { (0..<random.below(12)).map { _ in UInt8(random.below(256)) } }
    switch random.below(6) {
    case 0: sent.object.key = bytes()
    case 1: sent.object.model = UInt32(random.below(9))
    case 2: sent.stamps = bytes()
    case 3: sent.fields = random.oneIn(2) ? nil : bytes()
    default:
      guard var row = ServerRow(sent) else { return }
      let value = random.pick([nil, OutboxEntry.Field(bytes()), OutboxEntry.Field(nil)])
      row.fields[UInt16(random.below(6))] = value
      let pushed = row.pushed(as: sent.object, over: 0)
      (sent.stamps, sent.fields) = (pushed.stamps, pushed.fields)
    }
  }

  /// Makes a store one of a replica that has seen nothing.
  private func forget(_ store: Store) throws {
    try store.writeRemote { tx in
      try tx.deleteAll(Part.self)
      try tx.deleteAll(Guest.self)
      try tx.deleteAll(Anchor.self)
      try tx.deleteAll(Group.self)
      for tree in ReplicaTree.allCases { try tx.removeAll(in: tree) }
      for (object, _) in try tx.entries() { try tx.setEntry(nil, of: object) }
    }
  }
}

extension SyncRow {
  /// The bytes of the values; none where there are no values.
  fileprivate var valueBytes: [UInt8] {
    get { fields ?? [] }
    set { fields = newValue }
  }
}

/// What holds a part, which cannot be deleted then.
@Model private struct Clasp {
  @PrimaryKey var id: Int
  @Relation(onDelete: .deny) var part: Ref<Part>
}
