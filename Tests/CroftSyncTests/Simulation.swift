import Croft
import Foundation
import TestSupport

@testable import CroftSync

/// Some replicas of one space, with messages that are lost, late or doubled and processes that die.
final class Simulation {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// A store, and how far its clock is off.
  private struct Node {
    let store: Store
    var replica: Replica
    let milliseconds: @Sendable () -> UInt64
    /// Whether the process has introduced itself to the server.
    var isIntroduced = false
  }

  private let laws: Laws
  let accidents: Accidents
  private var backup: MemoryServer.Backup?
  var random: SeededGenerator
  let server: MemoryServer
  private var nodes: [Node] = []
  /// Seconds since the beginning, which all clocks count, each from another hour.
  private let now: SimulatedClock
  /// Pushes that are under way, and answers to pulls that come once more.
  private var late: [(node: Int, push: OutgoingPush)] = []
  private var old: [(node: Int, position: SyncPosition, pull: SyncPullAnswer)] = []
  private(set) var events: [ReplicaEvent] = []
  private(set) var accepted = 0
  private(set) var restores = 0
  /// Objects whose rows an intruder wrote.
  var intruded: Set<SyncObject> = []
  private let folder: URL
  /// For each edit and deletion of the programs, the incarnations that it may be of.
  private var seen: [Edit: Set<Stamp>] = [:]
  /// The incarnations that are deleted, by the server or by a program, and may not come back.
  private var dead: [NamedObject: Set<Stamp>] = [:]
  /// The same, with those whose tombstones are forgotten: a store may still tell of their deletions.
  private var everDead: [NamedObject: Set<Stamp>] = [:]
  /// Those whose tombstones are forgotten, and that no store has given back since.
  private var forgotten: [NamedObject: Set<Stamp>] = [:]
  /// The incarnations that a rule has brought back.
  private var broughtBack: [NamedObject: Set<Stamp>] = [:]
  /// How many objects were there in the end, or not, of whose keys something had been deleted.
  private(set) var checkedDeletions = 0
  /// The incarnations that a program has deleted under a key, while a deletion or a replacement is unsent.
  private var deleted: [Int: [ObjectKey: Set<Stamp>]] = [:]

  /// A change of a field, or without one a deletion.
  private struct Edit: Hashable {
    let node: Int
    let object: ObjectKey
    let field: UInt16?
    let stamp: Stamp
  }

  init(seed: UInt64, laws: Laws, _ accidents: Accidents = [], in folder: URL) throws {
    self.laws = laws
    self.accidents = accidents
    self.folder = folder
    random = SeededGenerator(seed: seed)
    now = SimulatedClock()
    // A row has some hundred bytes.
    server = MemoryServer(
      laws: laws, mostBytes: random.pick([1, 200, 1_000, SyncPullAnswer.mostBytes]),
      milliseconds: now.milliseconds(skew: 0))
    let count = 3 + random.below(3)
    for number in 0..<count {
      let skew = Int64(random.below(2 * 86_400_000)) - 86_400_000
      try addNode(folder.appending(path: "\(number).croft"), now.milliseconds(skew: skew))
    }
  }

  private func addNode(_ file: URL, _ milliseconds: @escaping @Sendable () -> UInt64) throws {
    // Each program lists its models in an order of its own, so that they have other numbers.
    let store = try Store.open(
      path: file.path, listed: World.models.shuffled(using: &random), options: .simulated,
      milliseconds: milliseconds)
    try store.replicate(World.models, as: 0)
    nodes.append(
      Node(store: store, replica: try replica(of: store), milliseconds: milliseconds))
  }

  /// A replica that applies very few rows at a time.
  private func replica(of store: Store) throws -> Replica {
    try Replica(store, laws: laws, blockLimit: 1 + random.below(3))
  }

  private func haveAccident() throws {
    if accidents.contains(.restores), random.oneIn(50) {
      if let backup, random.oneIn(2) {
        server.restore(backup)
        // Connections do not outlive it.
        for node in nodes.indices { nodes[node].isIntroduced = false }
        (late, old) = ([], [])
        restores += 1
      } else {
        backup = server.backUp()
      }
    }
    if accidents.contains(.intruders), random.oneIn(15) { try intrude() }
    if accidents.contains(.copies), random.oneIn(80), nodes.count < 7 {
      let file = folder.appending(path: "\(nodes.count).croft")
      let number = random.below(nodes.count)
      let node = nodes[number]
      try node.store.backup(to: file)
      try addNode(file, node.milliseconds)
      // Its program has seen what the other one has.
      deleted[nodes.count - 1] = deleted[number]
    }
  }

  /// Runs a program of random steps, lets all come to rest, and checks what there is.
  func run(steps: Int) throws {
    for _ in 0..<steps {
      now.advance(by: random.pick([1, 10, 600]))
      try step()
      try haveAccident()
      if random.oneIn(30) {
        try collect(before: server.version - min(server.version, UInt64(random.below(12))))
      }
    }
    for (node, push) in late { try deliver(push, of: node, isHeard: false) }
    late = []
    if accidents.contains(.intruders) {
      try rest(isValid: false)
      try cleanUp()
    }
    try rest()
  }

  private func step() throws {
    let node = random.below(nodes.count)
    switch random.below(100) {
    case ..<45: try operate(node)
    case ..<70:
      guard try introduce(node), let push = try send(from: node) else { return }
      try checkIncarnations(of: push, from: node)
      let fate = random.below(20)
      if fate < 2 { return late.append((node, push)) }
      let isDoubled = fate == 19
      try deliver(push, of: node, isHeard: isDoubled ? random.oneIn(2) : fate > 4)
      // The answer may be the first that is heard, and the program may have written meanwhile.
      if isDoubled {
        if random.oneIn(2) { try operate(node) }
        try deliver(push, of: node, isHeard: random.oneIn(2))
      }
    case ..<75:
      guard !late.isEmpty else { return }
      let (node, push) = late.remove(at: random.below(late.count))
      try deliver(push, of: node, isHeard: false)
    default: try pull(node)
    }
    // A process dies between two transactions: what it had in memory is gone.
    if random.oneIn(12) {
      nodes[node].replica = try replica(of: nodes[node].store)
      nodes[node].isIntroduced = false
    }
  }

  // MARK: Messages

  /// Begins a session, unless there is one, or the answer is lost.
  private func introduce(_ node: Int, isSure: Bool = false) throws -> Bool {
    if nodes[node].isIntroduced { return true }
    let answer = try server.hello(try nodes[node].replica.makeHello())
    if !isSure, random.oneIn(10) { return false }
    events += try nodes[node].replica.receive(answer, local: nodes[node].milliseconds())
    nodes[node].isIntroduced = true
    // Objects that are given back are merged with those of the server, as insertions are.
    let inserted = try nodes[node].store.outbox().filter { $0.value.kind == .insertion }
    seen = seen.filter { $0.key.node != node || inserted[$0.key.object] == nil }
    return true
  }

  /// Makes a push, of which all parts but the last one are uploaded.
  private func send(from node: Int) throws -> OutgoingPush? {
    let limit = random.oneIn(3) ? 1 + random.below(4) : 1_000
    guard let push = try nodes[node].replica.makePush(limit: limit) else { return nil }
    for number in 0..<push.push.uploadedParts {
      server.upload(try push.part(number), number: number, of: push.push.id)
    }
    return push
  }

  private func deliver(_ outgoing: OutgoingPush, of node: Int, isHeard: Bool) throws {
    let push = outgoing.push
    let (before, version) = (server.rows, server.version)
    let limit = random.oneIn(4) ? 1 + random.below(4) : 1_000
    var answer = server.push(push, limit: limit)
    if server.version > version {
      accepted += 1
      try noteDeletions(of: outgoing, before)
      if !accidents.contains(.intruders) { try checkServer(after: outgoing, before) }
    }
    // A copy of its store has come since.
    if answer.status == .unknownReplica { nodes[node].isIntroduced = false }
    if !isHeard { return }
    if random.oneIn(5), !late.isEmpty {
      // Another push comes before the rows are read.
      let (other, push) = late.remove(at: random.below(late.count))
      try deliver(push, of: other, isHeard: false)
    }
    if answer.status == .accepted, random.oneIn(3) {
      answer.pull = server.pull(with: push, limit: limit)
    }
    try receive(at: node) { try $0.receive(answer, to: outgoing) }
  }

  private func checkServer(after push: OutgoingPush, _ before: [SyncObject: SyncRow]) throws {
    try checkStamps(of: push, before)
    let world = try SpaceNumbers(server.rows).world(of: server.rows)
    if !world.problems.isEmpty { throw Failure("the server is invalid: \(world.problems)") }
  }

  /// No value of an object is replaced by an earlier one.
  ///
  /// And no value is of a time that is yet to come.
  private func checkStamps(of push: OutgoingPush, _ before: [SyncObject: SyncRow]) throws {
    let rows = server.rows
    for object in try push.rows().map(\.object) {
      if object.model == SpaceSchema.model { continue }
      guard let new = rows[object].flatMap({ ServerRow($0) }) else {
        throw Failure("the row of \(object) cannot be read")
      }
      if new.latest.time >> ReplicaClock.counterBits > UInt64(now.seconds * 1_000) {
        throw Failure("a value of \(object) is of a later time than the server's")
      }
      guard let old = before[object].flatMap({ ServerRow($0) }), old.born == new.born,
        !old.isDeleted, !new.isDeleted
      else { continue }
      for field in new.fields.keys where new.stamp(of: field) < old.stamp(of: field) {
        throw Failure("a later value of \(object) was lost")
      }
    }
  }

  /// What a program sees before it writes.
  private struct View {
    var incarnations: [ObjectKey: Stamp] = [:]
    var deletions: [ObjectKey: Stamp] = [:]
  }

  private func view(of node: Int) throws -> View {
    var view = View()
    try nodes[node].store.writeRemote { tx in
      try tx.forEachRecord { object, row, tx in
        if try tx.hasRow(of: object) { view.incarnations[object] = row.born }
      }
      var unsent = Set<ObjectKey>()
      for (object, entry) in try tx.entries() {
        switch entry.kind {
        case .insertion, .replacement: view.incarnations[object] = entry.stamp
        case .update: break
        case .deletion:
          view.deletions[object] = entry.stamp
          // A repair has deleted what the replica knew then, and what it has dropped.
          if deleted[node]?[object] == nil {
            var gone = Set(entry.priorInsertions)
            if let known = try tx.record(of: object), !known.isDeleted { gone.insert(known.born) }
            deleted[node, default: [:]][object] = gone
          }
        }
        if entry.kind == .deletion || entry.kind == .replacement { unsent.insert(object) }
      }
      deleted[node] = deleted[node]?.filter { unsent.contains($0.key) }
    }
    return view
  }

  /// Remembers which incarnations the edits and deletions of a program are of, given what it saw before.
  private func noteIncarnations(_ node: Int, _ before: View) throws {
    try nodes[node].store.writeRemote { tx in
      for (object, entry) in try tx.entries() {
        if entry.kind == .deletion || entry.kind == .replacement,
          let born = before.incarnations[object], born != entry.stamp
        {
          deleted[node, default: [:]][object, default: []].insert(born)
        }
        if entry.kind == .deletion {
          // Others were made of what a restored server lost.
          guard before.deletions[object] != entry.stamp else { continue }
          for edit in edits(of: object, entry, node) { seen[edit] = deleted[node]?[object] }
        } else if let known = try tx.record(of: object), !known.isDeleted {
          for edit in edits(of: object, entry, node) where seen[edit] == nil {
            seen[edit] = [known.born]
          }
        }
      }
    }
  }

  /// Edits and deletions are of the incarnation that the program saw.
  private func checkIncarnations(of push: OutgoingPush, from node: Int) throws {
    let entries = try nodes[node].store.outbox()
    for row in try push.rows() {
      guard let object = nodes[node].replica.schema.own(row.object), let entry = entries[object],
        let born = ServerRow(SyncRow(row, version: 0))?.born
      else { continue }
      // A restored server may have one that was deleted before.
      let gone = everDead[try nodes[node].replica.named(object)] ?? []
      if entry.kind == .deletion, gone.contains(born) { continue }
      for edit in edits(of: object, entry, node) where !(seen[edit]?.contains(born) ?? true) {
        throw Failure(
          "a change of \(object) is meant for another object than that of \(born): \(entry)")
      }
    }
  }

  /// Forgets tombstones; what they are of may come back.
  private func collect(before version: UInt64) throws {
    let before = server.rows
    server.collect(before: version)
    let numbers = try SpaceNumbers(before)
    for row in before.keys where server.rows[row] == nil {
      guard let object = numbers.named(row) else { continue }
      forgotten[object, default: []].formUnion(dead.removeValue(forKey: object) ?? [])
    }
  }

  /// Remembers which incarnations a push has deleted.
  private func noteDeletions(of push: OutgoingPush, _ before: [SyncObject: SyncRow]) throws {
    let numbers = try SpaceNumbers(server.rows)
    for row in try push.rows().map(\.object) {
      guard let object = numbers.named(row) else { continue }
      let new = server.rows[row].flatMap { ServerRow($0) }
      if let new, !new.isDeleted { forgotten[object]?.remove(new.born) }
      guard let old = before[row].flatMap({ ServerRow($0) }), !old.isDeleted else { continue }
      if new?.isDeleted ?? true || new?.born != old.born {
        dead[object, default: []].insert(old.born)
        everDead[object, default: []].insert(old.born)
      }
    }
  }

  /// Remembers which incarnations a program has deleted that others may have, given what it saw before.
  private func noteDeletions(by node: Int, _ before: View) throws {
    try nodes[node].store.writeRemote { tx in
      let sent = try tx.clock().sent
      for (object, born) in before.incarnations {
        let isKnown = try tx.record(of: object)?.born == born
        guard isKnown || born.time <= sent else { continue }
        let named = try nodes[node].replica.named(object)
        if forgotten[named]?.contains(born) ?? false { continue }
        let entry = try tx.entry(of: object)
        let isAnother = entry?.kind == .insertion || entry?.kind == .replacement
        if try !tx.hasRow(of: object) || (isAnother && entry?.stamp != born) {
          dead[named, default: []].insert(born)
          everDead[named, default: []].insert(born)
        }
      }
    }
  }

  /// No deleted object is there, unless its deletion was forgotten or taken back.
  private func checkDeletions() throws {
    let numbers = try SpaceNumbers(server.rows)
    for (shared, row) in server.rows {
      guard let object = numbers.named(shared),
        let gone = dead[object]?.subtracting(broughtBack[object] ?? []), !gone.isEmpty
      else { continue }
      checkedDeletions += 1
      if !row.isDeleted, let born = ServerRow(row)?.born, gone.contains(born) {
        throw Failure("the deleted \(object) of \(born) came back")
      }
    }
  }

  private func edits(of object: ObjectKey, _ entry: OutboxEntry, _ node: Int) -> [Edit] {
    switch entry.kind {
    case .insertion, .replacement: []
    case .deletion: [Edit(node: node, object: object, field: nil, stamp: entry.stamp)]
    case .update:
      entry.stamps.map { Edit(node: node, object: object, field: $0.key, stamp: $0.value) }
    }
  }

  private func pull(_ node: Int) throws {
    if random.oneIn(10), let (other, position, answer) = old.randomElement(using: &random) {
      try receive(answer, after: position, at: other)
    }
    guard try introduce(node) else { return }
    repeat {
      let replica = nodes[node].replica
      let position = replica.position
      let answer = server.pull(
        after: position, cursor: replica.cursor,
        limit: random.oneIn(3) ? 1 + random.below(4) : 1_000)
      old.append((node, position, answer))
      // The answer is lost, or comes twice, or the program writes meanwhile.
      if random.oneIn(10) { return }
      if random.oneIn(7) { try operate(node) }
      try receive(answer, after: position, at: node)
      if random.oneIn(7) { try receive(answer, after: position, at: node) }
      if random.oneIn(9) { return }
    } while nodes[node].replica.state.staged != nil
  }

  private func receive(
    _ answer: SyncPullAnswer, after position: SyncPosition, at node: Int
  ) throws {
    try receive(at: node) { try $0.receive(answer, after: position) }
  }

  private func receive(at node: Int, _ answer: (Replica) throws -> [ReplicaEvent]) throws {
    do {
      let found = try answer(nodes[node].replica)
      events += found
      // A deletion is withdrawn, or a replacement is taken back.
      for object in found.filter({ $0.kind == .denied || $0.kind == .reverted }).map(\.object) {
        guard let object,
          let born = try nodes[node].store.writeRemote({ try $0.record(of: object) })?.born
        else { continue }
        broughtBack[try nodes[node].replica.named(object), default: []].insert(born)
      }
    } catch is Replica.LineageBroken {
      nodes[node].isIntroduced = false
    }
    try check(nodes[node].store, of: node)
  }

  /// Lets all come to rest, and compares them.
  ///
  /// - Parameter isValid: Whether the server's rows are; else replicas are compared with a new one.
  private func rest(isValid: Bool = true) throws {
    var rounds = 0
    var isQuiet = false
    var last = ""
    while !isQuiet {
      rounds += 1
      if rounds > 60 { throw Failure("the replicas never rest: \(last)") }
      isQuiet = true
      for node in nodes.indices {
        now.advance(by: 3)
        try pullAll(node)
        guard let push = try send(from: node) else { continue }
        isQuiet = false
        try deliver(push, of: node, isHeard: true)
        last = "\(node) pushes \(push.push.last)"
      }
    }
    if !accidents.contains(.intruders) { try checkDeletions() }
    let newcomer = try newcomer(isValid)
    let expected =
      isValid ? try SpaceNumbers(server.rows).world(of: server.rows) : newcomer
    if newcomer != expected { throw Failure("a new replica differs from the server") }
    for node in nodes.indices {
      try pullAll(node)
      let store = nodes[node].store
      let isSent = try store.outbox().isEmpty && hasNothingHidden(store)
      // What others do not see has changes wait.
      if isSent || isValid, try store.world() != expected {
        throw Failure(
          "replica \(node) differs: \(try store.world()) and \(expected) \(isValid)")
      }
      if isValid, !isSent { throw Failure("replica \(node) has unsent changes") }
      if isValid, try nodes[node].replica.asideCount() > 0 {
        throw Failure("replica \(node) has rows aside")
      }
      let verification = try store.verify()
      if !verification.isSound { throw Failure("\(verification.problems)") }
    }
  }

  /// Whether no unsent change waits with an object that is out of sight.
  private func hasNothingHidden(_ store: Store) throws -> Bool {
    try store.writeRemote { try $0.asides().values.allSatisfy { $0.entry == nil } }
  }

  private func pullAll(_ node: Int) throws {
    _ = try introduce(node, isSure: true)
    repeat {
      let replica = nodes[node].replica
      let position = replica.position
      try receive(
        server.pull(after: position, cursor: replica.cursor, limit: 1_000), after: position,
        at: node)
    } while nodes[node].replica.state.staged != nil
  }

  /// What a replica has that begins now.
  private func newcomer(_ isValid: Bool) throws -> World {
    let store = try Store.open(
      path: folder.appending(path: "new-\(isValid).croft").path, listed: World.models,
      options: .simulated)
    try store.replicate(World.models, as: 0)
    let replica = try Replica(store, laws: laws)
    repeat {
      let position = replica.position
      try replica.receive(
        server.pull(after: position, cursor: replica.cursor, limit: 10_000), after: position)
    } while replica.state.staged != nil
    return try store.world()
  }

  // MARK: The program

  private func operate(_ node: Int) throws {
    let before = try view(of: node)
    do {
      try nodes[node].store.write { try change(&$0) }
    } catch let error as StoreError {
      // A value that is taken, a group that is there already or cannot be deleted.
      if case .corrupt = error { throw error }
    }
    let problems = try nodes[node].store.world().problems
    if !problems.isEmpty { throw Failure("the program made \(problems)") }
    try noteIncarnations(node, before)
    try noteDeletions(by: node, before)
  }

  private func change(_ tx: inout WriteTransaction) throws {
    let groups = try tx.fetch(Group.all).map { Ref($0) }
    let id = random.below(8)
    let name = random.pick([nil, "a", "b", "c", "d", "e"])
    let group = groups.isEmpty ? nil : random.pick(groups)
    switch random.below(100) {
    case ..<20:
      try tx.insert(
        Group(id: id, name: name, color: random.below(99), parent: random.oneIn(2) ? group : nil))
    case ..<45: try insertItem(id, group, &tx)
    case ..<60: try edit(id, &tx)
    case ..<70: try tx.update(Group.self, id) { $0.name = name }
    case ..<78:
      guard let group else { return }
      switch random.below(3) {
      case 0: try tx.update(Part.self, id) { $0.group = group }
      case 1: try tx.update(Guest.self, id) { $0.group = group }
      default: try tx.update(Anchor.self, id) { $0.group = group }
      }
    case ..<82: try tx.update(Group.self, id) { $0.parent = group }
    case ..<92: try delete(id, &tx)
    default:
      // A deletion and an insertion in one go.
      switch random.below(3) {
      case 0: if try !tx.delete(Part.self, id) { return }
      case 1: if try !tx.delete(Guest.self, id) { return }
      default: if try !tx.delete(Anchor.self, id) { return }
      }
      try insertItem(id, group, &tx)
    }
  }

  private func insertItem(
    _ id: Int, _ group: Ref<Group>?, _ tx: inout WriteTransaction
  ) throws {
    let title = random.below(999)
    switch random.below(3) {
    case 0: if let group { try tx.insert(Part(id: id, title: title, number: 0, group: group)) }
    case 1:
      try tx.insert(Guest(id: id, title: title, number: 0, group: random.oneIn(5) ? nil : group))
    default: if let group { try tx.insert(Anchor(id: id, title: title, number: 0, group: group)) }
    }
  }

  private func edit(_ id: Int, _ tx: inout WriteTransaction) throws {
    let value = random.below(999)
    switch random.below(6) {
    case 0: try tx.update(Part.self, id) { $0.title = value }
    case 1: try tx.update(Part.self, id) { $0.number = value }
    case 2: try tx.update(Guest.self, id) { $0.title = value }
    case 3: try tx.update(Guest.self, id) { $0.number = value }
    case 4: try tx.update(Anchor.self, id) { $0.title = value }
    default: try tx.update(Group.self, id) { $0.color = value }
    }
  }

  private func delete(_ id: Int, _ tx: inout WriteTransaction) throws {
    switch random.below(5) {
    case 0: try tx.delete(Part.self, id)
    case 1: try tx.delete(Guest.self, id)
    case 2: try tx.delete(Anchor.self, id)
    default: try tx.delete(Group.self, id)
    }
  }
}

extension OutgoingPush {
  /// The rows of all parts.
  fileprivate func rows() throws -> [SyncPush.Row] {
    try (0..<push.uploadedParts).flatMap { try part($0).rows } + push.last.rows
  }
}

extension Store.Options {
  static var simulated: Self {
    var options = Self()
    options.durability = .unsafe
    options.mapSizeBytes = 64 << 20
    options.logsCommits = false
    return options
  }
}
