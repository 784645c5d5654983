import Croft
import Foundation
import Testing
import TestSupport

/// Random changes against a dictionary that keeps the same rules by looking at every object.
@Suite(.keepsFailedStores) struct UniqueIndexModelTests {
  private struct Undo: Error {}

  /// Accounts as a dictionary.
  private struct Twin: Equatable {
    var accounts: [Int: Account] = [:]

    /// Whether an account could be put without sharing a value.
    func admits(_ account: Account) -> Bool {
      accounts.values.allSatisfy { other in
        other.id == account.id
          || !(other.email != nil && other.email == account.email
            || other.number != nil && other.number == account.number && other.team == account.team
            || !Set(other.badges).isDisjoint(with: account.badges))
      }
    }
  }

  private func account(_ random: inout SeededGenerator) -> Account {
    let long = String(repeating: "y", count: 300)
    return Account(
      id: random.below(40),
      email: random.maybe {
        $0.oneIn(3) ? long + $0.pick(["a", "b", "c"]) : $0.pick(["é", "e\u{301}"]) + $0.text()
      },
      team: random.pick(["", "red", "blue"]), number: random.maybe { $0.below(6) },
      badges: (0..<random.below(3)).map { _ in random.below(60) })
  }

  @Test func aTwinThatLooksAtEveryObjectAgrees() throws {
    var random = SeededGenerator.forTest("UniqueIndexModelTests")
    try withStore(of: Account.self) { store in
      var twin = Twin()
      for _ in 0..<Torture.steps(short: 60, long: 3_000) {
        try store.write { tx in
          for _ in 0..<20 { try step(&tx, &twin, &random) }
        }
        #expect(try store.fetch(Account.all) == twin.accounts.values.sorted { $0.id < $1.id })
      }
      #expect(try store.verify().problems == [])
    }
  }

  private func step(
    _ tx: inout WriteTransaction, _ twin: inout Twin, _ random: inout SeededGenerator
  ) throws {
    switch random.below(10) {
    case 0..<5: try put(account(&random), &tx, &twin)
    case 5, 6:
      let id = random.below(40)
      #expect(try tx.delete(Account.self, id) == (twin.accounts.removeValue(forKey: id) != nil))
    case 7:
      let bound = random.below(40)
      let count = try tx.delete(Account.where { $0.id >= bound && $0.id < bound + 5 })
      let before = twin.accounts.count
      for id in bound..<bound + 5 { twin.accounts[id] = nil }
      #expect(count == before - twin.accounts.count)
    case 8: try insertSome(&tx, &twin, &random)
    default:
      let isKept = random.oneIn(2)
      var inner = twin
      do {
        try tx.savepoint { tx in
          for _ in 0..<3 { try step(&tx, &inner, &random) }
          if !isKept { throw Undo() }
        }
        twin = inner
      } catch is Undo {}
    }
  }

  private func put(_ account: Account, _ tx: inout WriteTransaction, _ twin: inout Twin) throws {
    if twin.admits(account) {
      try tx.upsert(account)
      twin.accounts[account.id] = account
    } else {
      guard case .uniqueViolation = StoreError.thrown(by: { try tx.upsert(account) }) else {
        Issue.record("\(account) was not refused")
        return
      }
    }
  }

  private func insertSome(
    _ tx: inout WriteTransaction, _ twin: inout Twin, _ random: inout SeededGenerator
  ) throws {
    let accounts = (0..<3).map { _ in account(&random) }
    var after: Twin? = twin
    for account in accounts {
      if after?.accounts[account.id] != nil || after?.admits(account) != true { after = nil }
      after?.accounts[account.id] = account
    }
    if let after {
      try tx.insert(contentsOf: accounts)
      twin = after
    } else {
      _ = StoreError.thrown { try tx.insert(contentsOf: accounts) }
    }
  }
}
