import Croft
import Foundation

/// A model with long texts, which have pages of their own, beside unique values and a list.
@Model struct Volume: Hashable {
  @PrimaryKey var id: Int
  @Indexed(.unique) var mark: String
  @Indexed var shelf = 0
  var text = ""
  @Indexed var tags: [Int] = []
}

/// A small store that somebody damages, and what a program sees of it.
///
/// It runs in a process of its own: a signal ends that one, and the step at which it came is in
/// the file `case` of its folder.
struct HostileFile {
  /// What became of the steps.
  struct Tally: Codable {
    /// All that were tried.
    var files = 0
    /// Everything was as it had been.
    var same = 0
    /// Opening was refused.
    var refused = 0
    /// Something that was asked for was an error.
    var failed = 0
    /// Objects were missing without an error; `verify()` told of the damage.
    var hidden = 0
    /// Objects were missing without an error in a fetch of all.
    var missing = 0
    /// An object differed, or there was one that never was.
    var wrong = 0
    /// Damage that changed an answer and that `verify()` did not find.
    var unverified = 0
    /// The steps at which something was missing, wrong or unverified.
    var places: [String] = []
  }

  static let songs = Song.numbered(0..<90)
  static let volumes = (0..<24).map { id in
    Volume(
      id: id, mark: "mark \(id)", shelf: id % 4,
      text: String(repeating: "line \(id) ", count: id % 6 == 5 ? 900 : id), tags: [id, id % 3])
  }

  let url: URL
  let bytes: [UInt8]
  private(set) var tally = Tally()

  init(at url: URL) throws {
    self.url = url
    bytes = [UInt8](try Data(contentsOf: url))
  }

  /// Makes the store: some objects are gone again, so that there are free pages.
  static func make(at url: URL) throws {
    let store = try Store.open(at: url, models: Song.self, Volume.self, options: .forTests)
    try store.write { tx in
      try tx.insert(contentsOf: Song.numbered(0..<150))
      try tx.insert(contentsOf: volumes)
    }
    try store.write { tx in
      for id in 24..<40 {
        try tx.insert(
          Volume(id: id, mark: "gone \(id)", text: String(repeating: "g", count: 9_000)))
      }
    }
    try store.write { _ = try $0.delete(Song.where { $0.id >= 90 }) }
    try store.write { _ = try $0.delete(Volume.where { $0.id >= 24 }) }
    try store.write { _ = try $0.update(Song.self, 3) { $0.plays = 3 } }
  }

  /// Changes the file, lets a program read it, write to it and read it again.
  mutating func run(_ name: String, writes: Bool, _ damage: (inout [UInt8]) -> Void) throws {
    try Data(name.utf8).write(to: url.deletingLastPathComponent().appending(path: "case"))
    var changed = bytes
    damage(&changed)
    try Data(changed).write(to: url)
    tally.files += 1
    let before = (tally.missing, tally.wrong, tally.unverified)
    do {
      let store = try Store.open(at: url, models: Song.self, Volume.self, options: .forTests)
      look(at: store)
      if writes { write(to: store) }
    } catch is StoreError {
      tally.refused += 1
    }
    if before != (tally.missing, tally.wrong, tally.unverified) { tally.places.append(name) }
  }

  private mutating func look(at store: Store) {
    var (hasFailed, isHidden, isMissing, isWrong) = (false, false, false, false)
    func ask<T: Hashable>(_ expected: [T], isWhole: Bool, _ fetch: () throws -> [T]) {
      do {
        let found = try fetch()
        if found == expected { return }
        // An object that never was, one that is there twice, or another order.
        let places = found.map { expected.firstIndex(of: $0) ?? -1 }
        if places.contains(-1) || zip(places, places.dropFirst()).contains(where: { $0 >= $1 }) {
          isWrong = true
        }
        if found.count < expected.count { if isWhole { isMissing = true } else { isHidden = true } }
      } catch { hasFailed = true }
    }
    ask(Self.songs, isWhole: true) { try store.fetch(Song.all) }
    ask(Self.volumes, isWhole: true) { try store.fetch(Volume.all) }
    ask(Self.songs.filter { $0.plays == 3 }, isWhole: false) {
      try store.fetch(Song.where { $0.plays == 3 })
    }
    ask(Self.songs.filter { $0.genre == .jazz }, isWhole: false) {
      try store.fetch(Song.where { $0.genre == .jazz })
    }
    ask([Self.volumes[7]], isWhole: false) {
      try store.fetch(Volume.where { $0.mark == "mark 7" })
    }
    ask(Self.volumes.filter { $0.tags.contains(1) }, isWhole: false) {
      try store.fetch(Volume.where { $0.tags.contains(1) })
    }
    ask(Self.songs.sorted { ($0.plays, $0.id) < ($1.plays, $1.id) }, isWhole: false) {
      try store.fetch(Song.all.order(by: \.plays).limit(1_000))
    }
    ask(Self.volumes.sorted { $0.mark > $1.mark }, isWhole: false) {
      try store.fetch(Volume.all.order(by: \.mark.descending).limit(1_000))
    }
    // A search compares keys that it does not check, so that a damaged one can lead it astray.
    for id in [0, 41, 89] {
      ask([Self.songs[id]], isWhole: false) { try store.get(Song.self, id).map { [$0] } ?? [] }
    }
    ask([Self.volumes[5]], isWhole: false) { try store.get(Volume.self, 5).map { [$0] } ?? [] }
    let isSound = (try? store.verify())?.isSound ?? false
    if hasFailed { tally.failed += 1 }
    if isHidden { tally.hidden += 1 }
    if isMissing { tally.missing += 1 }
    if isWrong { tally.wrong += 1 }
    if isSound, hasFailed || isHidden || isMissing || isWrong { tally.unverified += 1 }
    if !hasFailed, !isHidden, !isMissing, !isWrong { tally.same += 1 }
  }

  /// Writes among the damage; committed objects must be there.
  private mutating func write(to store: Store) {
    do {
      // Every other time, the first write reads no leaf of the trees that it empties.
      if tally.files % 2 == 0 { _ = try store.write { try $0.deleteAll(Song.self) } }
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(1_000..<1_040))
        _ = try tx.update(Song.self, 12) { $0.plays += 1 }
        try tx.delete(Song.where { $0.plays == 4 })
        try tx.delete(Volume.self, 11)
        try tx.insert(Volume(id: 90, mark: "new", text: String(repeating: "n", count: 12_000)))
      }
    } catch { return }
    let found = (try? store.fetch(Song.where { $0.id >= 1_000 })) ?? []
    if !Set(found).subtracting(Song.numbered(1_000..<1_040)).isEmpty { tally.wrong += 1 }
    _ = try? store.verify()
  }
}

extension HostileFile {
  /// Leaves the tally beside the file.
  func save() throws {
    try JSONEncoder().encode(tally)
      .write(to: url.deletingLastPathComponent().appending(path: "tally"))
  }
}

extension HostileFile.Tally: CustomStringConvertible {
  /// The tally that a process left beside its file.
  init(savedBeside url: URL) throws {
    let data = try Data(
      contentsOf: url.deletingLastPathComponent().appending(path: "tally"))
    self = try JSONDecoder().decode(Self.self, from: data)
  }

  var description: String {
    "\(same) same, \(refused) refused, \(failed) errors, \(hidden) hidden from an index, "
      + "\(missing) missing, \(wrong) wrong, \(unverified) unverified"
  }
}
