import Croft
import Foundation

// Programs with different versions of the models, one after the other and at once.

extension Runner {
  /// Closes the store, and opens it with another version, or again with this one where that is refused.
  func change(to version: Int) throws {
    let questions = live.map { ($0.question, $0.sections) }
    let isFollowing = follower != nil
    counts.changes += live.reduce(0) { $0 + $1.changeCount }
    close()
    counts.migrations += 1
    let former = self.version
    let kinds = kinds(of: former)
    let isOpen = try adopt(version) {
      self.version = version
      try open()
    }
    if !isOpen {
      self.version = former
      try open()
    }
    for (question, sections) in questions {
      // A property may be gone, or of another type.
      let isOther = self.kinds(of: self.version).contains { name, kind in
        kinds[name].map { $0 != kind } ?? false
      }
      if !isOther, models.isAskable(question) {
        try observe(question, sections)
      }
    }
    if isFollowing { try follow() }
  }

  /// Opens the store with another version, and expects that it is refused where the twin refuses it.
  ///
  /// - Returns: Whether it was opened; otherwise the store is unchanged for the version before.
  private func adopt(_ version: Int, _ open: () throws -> Void) throws -> Bool {
    let former = self.version
    let adoption = twin.adopt(family.versions[version])
    let generation = try Store.generation(path: path, options: options)
    do {
      try open()
      guard adoption == .opens else {
        throw Failure(.lost, "version \(version) opens, and must be refused")
      }
      return true
    } catch let error as StoreError {
      switch (error, adoption) {
      case (.schemaMismatch, .mismatch), (.schemaMismatch, .dangling), (.schemaMismatch, .clash),
        (.duplicateKey, .duplicate):
        break
      default: throw error
      }
      // The version before asks for its own lists again.
      if adoption == .clash, try Store.generation(path: path, options: options) != generation {
        twin.abandon(family.versions[version])
      }
      if adoption == .clash, twin.adopt(family.versions[former]) != .opens {
        throw Failure(
          .wrong, "version \(former) is refused, which the store was opened with before")
      }
      return false
    }
  }

  /// What the properties of a version are, by the names of their models and their own.
  private func kinds(of version: Int) -> [String: Kind] {
    var kinds: [String: Kind] = [:]
    for shape in family.versions[version].shapes {
      for info in shape.infos { kinds[shape.name + "." + info.name] = info.kind }
    }
    return kinds
  }

  // MARK: - At once

  /// Writes with another version while this one has the store open, and then with this one.
  ///
  /// The other one keeps the store open too, and continues with what it knows when it comes again. Where
  /// this one can no longer read what the other one made of the models, the other one continues alone.
  ///
  /// - Parameters:
  ///   - version: The other version.
  ///   - there: What it writes.
  ///   - here: What this one writes afterwards.
  func openBeside(_ version: Int, _ there: [Statement], _ here: [Statement]) throws {
    do {
      try runBeside(version, there, here)
    } catch let reopening as Reopening {
      try change(to: reopening.version)
      if reopening.isFollowing { try follow() }
    }
  }

  /// Thrown where the store must be closed and opened, perhaps with a larger map: by then no variable
  /// refers to a store, which would keep the file open with the smaller one.
  private struct Reopening: Error {
    let version: Int
    var isFollowing = false
  }

  private func runBeside(_ version: Int, _ there: [Statement], _ here: [Statement]) throws {
    let former = self.version
    guard version != former else { return try write(.own, here, fails: false) }
    let questions = live.map { ($0.question, $0.sections) }
    let isFollowing = follower != nil
    follower?.end()
    follower = nil
    counts.beside += 1
    guard let other = try storeBeside(version, isFollowing: isFollowing) else {
      if isFollowing { try follow() }
      return
    }
    self.version = version
    // Observers end where their version is refused, be it for a moment.
    var isReadable = false
    if let seen = twin.continued(with: family.versions[former]) {
      isReadable = true
      // It knows the catalog of a model that may be empty, before the other one fills it.
      try compareTables(of: try opened(), seen, "version \(former), which another is beside")
    }
    guard try write(there, beside: other) else { throw Reopening(version: former) }
    if twin.continued(with: family.versions[former]) == nil { isReadable = false }
    if !isReadable {
      for replay in live { replay.cancel() }
      live = []
    }
    let own = try opened()
    guard twin.isCertain(of: family.versions[former]) else { throw Reopening(version: former) }
    guard try canContinue(former, with: own) else {
      close()
      store = other
      return
    }
    self.version = former
    guard try write(here, beside: own) else { throw Reopening(version: former) }
    if !isReadable { for (question, sections) in questions { try observe(question, sections) } }
    if isFollowing { try follow() }
  }

  /// The store of another version, which the twin has adopted; nil where that did not come about.
  private func storeBeside(_ version: Int, isFollowing: Bool) throws -> Store? {
    let before = twin
    guard let other = beside[version] else {
      let models = family.versions[version]
      do {
        let isOpen = try adopt(version) {
          beside[version] = try Store.open(
            path: path, listed: models.shapes.map(\.type), options: options,
            migrations: models.migrations)
        }
        return isOpen ? beside[version] : nil
      } catch StoreError.mapFull {
        // The map grows when no other store of the file is open.
        twin = before
        throw Reopening(version: version, isFollowing: isFollowing)
      }
    }
    beside[version] = nil
    guard twin.isCertain(of: family.versions[version]) else {
      throw Reopening(version: version, isFollowing: isFollowing)
    }
    guard try canContinue(version, with: other) else { return nil }
    do {
      // What it reads nil as is not in the catalog, and no other version knows of it, until it is stored.
      let models = family.versions[version]
      _ = try Store.open(path: path, listed: models.shapes.map(\.type), options: options)
    } catch StoreError.mapFull {
      twin = before
      throw Reopening(version: version, isFollowing: isFollowing)
    }
    beside[version] = other
    return other
  }

  /// Whether a version that has the store open can read and write what others made of the models.
  ///
  /// Where the twin says that it cannot, its store must say so as well.
  private func canContinue(_ version: Int, with store: Store) throws -> Bool {
    let adoption = twin.adopt(family.versions[version].continued)
    if adoption == .opens {
      twin.models = family.versions[version]
      try compareTables(of: store, twin, "version \(version) beside another")
      return true
    }
    var reads: [() throws -> Void] = [{ try store.write { _ in } }]
    // A list of unique values, and a reference to no object, are found where the program writes.
    if adoption == .mismatch { reads.append { try store.read { _ in } } }
    for read in reads {
      do {
        try read()
        throw Failure("version \(version) continues beside another, and must be refused")
      } catch StoreError.schemaMismatch {
        counts.refusals += 1
      } catch StoreError.mapFull {
        // An index that it builds does not even fit.
        counts.undone += 1
      }
    }
    return false
  }

  /// Writes with a version beside others, and opens the store once more, so that it knows the version.
  ///
  /// - Returns: Whether there was room for that.
  private func write(_ statements: [Statement], beside store: Store) throws -> Bool {
    let before = twin
    do {
      try write(statements, to: store)
      counts.transactions += 1
    } catch StoreError.mapFull {
      twin = before
      counts.undone += 1
    }
    do {
      // A transaction without changes does not store what it made of the catalog.
      _ = try Store.open(path: path, listed: models.shapes.map(\.type), options: options)
    } catch StoreError.mapFull {
      return false
    }
    try compareTables(of: store, twin, "version \(version) beside another")
    try verify(store, "the store beside another")
    return true
  }
}
