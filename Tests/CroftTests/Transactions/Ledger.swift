import Croft
import TestSupport

/// Balances whose sum never changes, and what each writer has done, numbered without gaps.
///
/// Models, writes and checks of the tests of concurrency. Keys below zero belong to marks, by which
/// processes wait for each other; the rules are about the others.
enum Ledger {
  @Model struct Balance: Hashable {
    @PrimaryKey var id: Int
    @Indexed var amount: Int
    var text: String
  }

  /// One write of a writer; only the last of each are kept.
  @Model struct Entry: Hashable {
    @PrimaryKey var id: Int
    var writer: Int
    var number: Int
    @Indexed(.unique) var code: String
    var balance: Ref<Balance>?
    var text: String
    #Index<Ledger.Entry>([\.writer, \.number.descending])
  }

  /// How many writes there have been.
  @Model struct Total: Hashable {
    @PrimaryKey var id: Int
    var writes: Int
  }

  static let models: [any Model.Type] = [Balance.self, Entry.self, Total.self]
  static let balanceCount = 60
  static let amountOfEach = 1_000
  /// How many entries of a writer are kept.
  static let keptCount = 25

  static func fill(_ store: Store) throws {
    try store.write { tx in
      try tx.insert(contentsOf: (0..<balanceCount).map { Balance(id: $0, amount: amountOfEach) })
      try tx.insert(Total(id: 0, writes: 0))
    }
  }

  /// Moves an amount from one balance to another, and notes it under the writer's next number.
  ///
  /// - Returns: The number.
  static func move(
    _ tx: inout WriteTransaction, writer: Int, _ random: inout SeededGenerator
  ) throws -> Int {
    let amount = random.below(9)
    let from = random.below(balanceCount)
    let to = (from + 1 + random.below(balanceCount - 1)) % balanceCount
    try tx.update(Balance.self, from) { $0.add(-amount) }
    try tx.update(Balance.self, to) { $0.add(amount) }
    let number = try (tx.fetch(Entry.where { $0.writer == writer }.max(\.number)) ?? 0) + 1
    try tx.insert(Entry(writer: writer, number: number, balance: Ref(to)))
    if random.oneIn(3) {
      try tx.delete(Entry.where { $0.writer == writer && $0.number <= number - keptCount })
    } else {
      try tx.delete(Entry.self, Entry.id(writer, number - keptCount))
    }
    try tx.update(Total.self, 0) { $0.writes += 1 }
    return number
  }

  /// Gives each balance the amount of the next, which rewrites all of them.
  static func rotate(_ tx: inout WriteTransaction) throws {
    let balances = try tx.fetch(Balance.where { $0.id >= 0 })
    for (balance, next) in zip(balances, balances.dropFirst() + balances.prefix(1)) {
      try tx.update(Balance.self, balance.id) { $0.add(next.amount - balance.amount) }
    }
  }
}

extension Ledger.Balance {
  init(id: Int, amount: Int) {
    self.init(id: id, amount: amount, text: Self.text(id, amount))
  }

  mutating func add(_ change: Int) {
    amount += change
    text = Self.text(id, amount)
  }

  /// What follows from the rest, so that bytes of another version would be noticed; some of it is
  /// longer than a page.
  static func text(_ id: Int, _ amount: Int) -> String {
    String(repeating: "\(id):\(amount) ", count: id % 10 == 0 ? 700 : 2)
  }
}

extension Ledger.Entry {
  init(writer: Int, number: Int, balance: Ref<Ledger.Balance>? = nil) {
    self.init(
      id: Self.id(writer, number), writer: writer, number: number, code: "\(writer)/\(number)",
      balance: balance, text: Self.text(writer, number))
  }

  static func id(_ writer: Int, _ number: Int) -> Int { writer * 10_000_000 + number }

  static func text(_ writer: Int, _ number: Int) -> String {
    String(repeating: "\(writer) ", count: number % 50)
  }
}

/// All that a transaction sees of the ledger.
struct LedgerView: Equatable {
  let balances: [Ledger.Balance]
  let entries: [Ledger.Entry]
  let writes: Int
  let sum: Int
  /// How many entries the index has of each writer.
  private let counts: [Int: Int]

  init(_ tx: inout ReadTransaction) throws {
    balances = try tx.fetch(Ledger.Balance.where { $0.id >= 0 })
    entries = try tx.fetch(Ledger.Entry.where { $0.writer > 0 }.order(by: \.id))
    writes = try tx.get(Ledger.Total.self, 0)?.writes ?? 0
    sum = try tx.fetch(Ledger.Balance.where { $0.id >= 0 }.sum(\.amount))
    var counts: [Int: Int] = [:]
    for writer in Set(entries.map(\.writer)) {
      counts[writer] = try tx.count(Ledger.Entry.where { $0.writer == writer })
    }
    self.counts = counts
  }

  /// The last number of each writer.
  var lasts: [Int: Int] {
    Dictionary(entries.map { ($0.writer, $0.number) }, uniquingKeysWith: max)
  }

  /// What no order of whole transactions could have led to, in words.
  var problems: [String] {
    var problems: [String] = []
    func check(_ isRight: Bool, _ words: @autoclosure () -> String) {
      if !isRight { problems.append(words()) }
    }
    let (count, whole) = (Ledger.balanceCount, Ledger.balanceCount * Ledger.amountOfEach)
    check(balances.map(\.id) == Array(0..<count), "balances \(balances.map(\.id))")
    check(balances.reduce(0) { $0 + $1.amount } == whole, "the balances' sum is not \(whole)")
    check(sum == whole, "the query's sum is \(sum)")
    for balance in balances {
      check(
        balance.text == Ledger.Balance.text(balance.id, balance.amount),
        "the text of balance \(balance.id) is of another amount than \(balance.amount)")
    }
    for (writer, entries) in Dictionary(grouping: entries, by: \.writer) {
      let last = entries[entries.count - 1].number
      let expected = Array(max(1, last - Ledger.keptCount + 1)...last)
      check(entries.map(\.number) == expected, "writer \(writer): \(entries.map(\.number))")
      check(counts[writer] == entries.count, "index of \(writer): \(counts[writer] ?? 0)")
      for entry in entries {
        let whole = Ledger.Entry(writer: writer, number: entry.number, balance: entry.balance)
        check(entry == whole, "the values of entry \(entry.id) are another's")
      }
    }
    let done = lasts.values.reduce(0, +)
    check(writes == done, "\(writes) writes, of which there are numbers of \(done)")
    return problems
  }
}
