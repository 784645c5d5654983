import Croft
import Foundation
import TestSupport

// Workloads with one writer number the states that they commit; the number is in the store.

/// A row of any version of the items, with what all of them have.
struct ItemRow {
  let id: Int
  let rank: Int
  let code: String
  let text: String
  let owner: Int?
}

extension Indexed.Item {
  /// What all versions have of it.
  var row: ItemRow { ItemRow(id: id, rank: rank, code: code, text: text, owner: owner?.key) }
}

extension Plain.Item {
  /// What all versions have of it.
  var row: ItemRow { ItemRow(id: id, rank: rank, code: code, text: text, owner: owner?.key) }
}

extension Changed.Item {
  /// What all versions have of it; -1 where the migration has not left what it should.
  var row: ItemRow {
    let rank = rank.hasPrefix("rank ") ? Int(rank.dropFirst(5)) ?? -1 : -1
    return ItemRow(id: id, rank: rank, code: code, text: text, owner: owner?.key)
  }
}

/// What the content of a store comes to.
func contentDigest(_ items: [ItemRow], _ owners: [Owner]) -> UInt64 {
  var digest = Digest()
  for item in items {
    digest.add(item.id)
    digest.add(item.rank)
    digest.add(item.code)
    digest.add(item.text)
    digest.add(item.owner ?? -1)
  }
  for owner in owners {
    digest.add(owner.id)
    digest.add(owner.name)
  }
  return digest.value
}

extension Scene {
  /// Commits some random changes of the items as a state with the next number.
  mutating func commit(to store: Store, _ number: inout Int) throws {
    number += 1
    let next = number
    try store.write { tx in
      for _ in 0...random.below(5) { try change(&tx, number: next) }
      try tx.upsert(Lane(id: 0, number: next))
      let content = contentDigest(
        try tx.fetch(Indexed.Item.all).map(\.row), try tx.fetch(Owner.all))
      attempt(next, digest: content)
    }
    acknowledge(next)
  }

  private mutating func change(_ tx: inout WriteTransaction, number: Int) throws {
    let id = random.below(300)
    switch random.below(20) {
    case 0..<7: try tx.upsert(item(id, number, &tx))
    case 7..<10: try tx.delete(Indexed.Item.self, id)
    case 10..<12:
      let rank = random.below(20)
      try tx.update(Indexed.Item.where { $0.rank == rank }) { $0.text += "+" }
    case 12: try tx.delete(Indexed.Item.where { $0.rank == id % 20 })
    case 13..<15: try tx.upsert(Owner(id: id % 6, name: "owner \(number)"))
    case 15: try tx.delete(Owner.self, id % 6)
    case 16:
      let first = 1_000 * (1 + random.below(3))
      let count = 1 + random.below(300)
      try tx.delete(Indexed.Item.where { $0.id >= first && $0.id < first + 1_000 })
      let items = try (first..<first + count).map { try item($0, number, &tx) }
      try tx.insert(contentsOf: items)
    case 17:
      // A savepoint that is given up leaves nothing.
      let given = try item(id, number, &tx)
      do {
        try tx.savepoint { tx in
          try tx.upsert(given)
          throw GivenUp()
        }
      } catch is GivenUp {}
    case 18:
      let kept = try item(id, number, &tx)
      try tx.savepoint { tx in
        _ = try tx.delete(Indexed.Item.self, id)
        try tx.upsert(kept)
      }
    default: if random.oneIn(4) { _ = try tx.deleteAll(Indexed.Item.self) }
    }
  }

  private struct GivenUp: Error {}

  private mutating func item(
    _ id: Int, _ number: Int, _ tx: inout WriteTransaction
  ) throws -> Indexed.Item {
    let letters = random.oneIn(12) ? 3_000 + random.below(20_000) : random.below(60)
    let owner = random.oneIn(3) ? id % 6 : nil
    if let owner { try tx.upsert(Owner(id: owner, name: "owner \(owner)")) }
    let word = random.pick(["x", "우유 ", "장 보기를 ", "sale \(id % 7) "])
    return Indexed.Item(
      id: id, rank: random.below(20), code: "code \(id) of \(number)",
      text: String(repeating: word, count: letters / word.utf8.count),
      owner: owner.map { Ref($0) })
  }

  /// Opens the store as most workloads do.
  func open(at url: URL? = nil) throws -> Store {
    try Store.open(
      at: url ?? self.url, models: Indexed.Item.self, Owner.self, Lane.self, options: options)
  }
}

extension Store {
  /// The number of the state, and what its content comes to; nobody writes meanwhile.
  func state(_ items: [ItemRow]) throws -> (number: Int, digest: UInt64) {
    let number = try get(Lane.self, 0)?.number ?? 0
    return (number, contentDigest(items, try fetch(Owner.all)))
  }

  /// Holds what `verify()` says to what it should.
  func checkSoundness() throws {
    let verification = try verify()
    guard verification.isSound else {
      throw Damage.wrong("\(verification.problems.prefix(3))")
    }
  }
}
