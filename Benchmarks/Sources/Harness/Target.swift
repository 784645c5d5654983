/// A bound that Croft is to keep in a report, and what became of it.
package struct Target: Sendable {
  /// What is compared.
  package enum Quantity: String, Sendable {
    case time, file, memory
    /// The 25th percentile of the rounds' times, of five the second fastest.
    case firstQuartile = "25th percentile"
    /// What was given to the system to write.
    case written
  }

  /// Whom Croft is compared with, in the same run.
  package enum Rival: Sendable {
    /// Another engine on the same workload.
    case engine(String)
    /// Croft itself on another workload.
    case workload(String)
    /// So many nanoseconds an object.
    case nanoseconds(Double)
  }

  /// The workload.
  package var workload: String
  /// What is compared.
  package var quantity = Quantity.time
  /// The engine whose figure it is.
  package var engine = "croft"
  /// Whom with.
  package var rival: Rival
  /// The largest ratio of the engine's figure to the rival's.
  package var bound: Double

  /// Time an object against Croft on another workload.
  static func croft(_ workload: String, _ bound: Double, of other: String) -> Target {
    Target(workload: workload, rival: .workload(other), bound: bound)
  }

  /// Time against the C peer.
  static func lmdb(_ workload: String, _ bound: Double) -> Target {
    Target(workload: workload, rival: .engine("lmdb"), bound: bound)
  }

  /// Time against GRDB's prepared statements.
  static func grdb(_ workload: String, _ bound: Double) -> Target {
    Target(workload: workload, rival: .engine("grdb"), bound: bound)
  }

  /// Nothing that a Swift program could use instead is faster at a workload.
  ///
  /// A slow round changes the 25th percentile less than the median.
  private static func noneFaster(_ workload: String) -> [Target] {
    ["sqlite", "grdb"].map {
      Target(workload: workload, quantity: .firstQuartile, rival: .engine($0), bound: 1)
    }
  }

  /// Every bound, in the order of a report.
  ///
  /// Twice as many rows that take another order may cost 2.3 times as much, which is 1.15 a row.
  ///
  /// The C peer makes no texts in a decoded scan. A plain Swift loop over LMDB that makes them takes four
  /// times as long.
  ///
  /// A search of 50,000 Korean titles may take 15 milliseconds, which is 300 nanoseconds a title.
  package static let all: [Target] =
    [
      .lmdb("insert-indexed", 1), .grdb("insert-indexed", 0.25),
      Target(workload: "insert-indexed", quantity: .file, rival: .engine("lmdb"), bound: 1.2),
      Target(workload: "insert-indexed", quantity: .file, rival: .engine("grdb"), bound: 1.4),
      Target(workload: "insert-indexed", quantity: .memory, rival: .engine("lmdb"), bound: 1.4),
      .lmdb("insert-uuid", 0.6), .lmdb("insert-plain", 1.5), .grdb("insert-plain", 0.16),
      .lmdb("delete-all", 2), .grdb("delete-all", 0.05), .lmdb("delete-quarter", 1.1),
      .grdb("delete-quarter", 0.5), .lmdb("delete-each", 1.2), .grdb("delete-each", 0.33),
      .lmdb("update-plain", 1.8), .grdb("update-plain", 0.25), .lmdb("update-indexed", 1.3),
      .grdb("update-indexed", 0.33), .lmdb("write-single", 0.7), .grdb("write-single", 0.9),
      Target(workload: "write-concurrent", rival: .workload("write-single"), bound: 0.1),
      .lmdb("read-key", 1.2), .grdb("read-key", 0.33), .lmdb("read-group", 1.3),
      .grdb("read-group", 0.33), .lmdb("count-group", 2), .grdb("count-group", 0.33),
      .lmdb("scan-decode", 5), .grdb("scan-decode", 0.33),
      Target(workload: "scan-decode", rival: .engine("grdb-record"), bound: 0.125),
      .lmdb("scan-count", 1.2), .grdb("scan-count", 0.55), .lmdb("sort-first", 1.2),
      .grdb("sort-first", 1),
      Target(workload: "live-change", rival: .nanoseconds(60_000), bound: 1),
      .croft("live-change", 1.5, of: "live-change-1000"),
      .croft("live-evens-odds-double", 1.15, of: "live-evens-odds"),
      .croft("live-riffle-double", 1.15, of: "live-riffle"),
      .croft("live-pair-swap-double", 1.15, of: "live-pair-swap"),
      .croft("live-observers-100", 1.5, of: "live-observers-1"),
      .croft("live-observers-10000", 1.5, of: "live-observers-1"),
      Target(workload: "live-dashboard", rival: .nanoseconds(1_000_000), bound: 1),
      .grdb("live-dashboard-read", 1),
      Target(workload: "live-wake-up", rival: .nanoseconds(20_000_000), bound: 1),
      Target(workload: "scan-text-korean", rival: .nanoseconds(300), bound: 1),
      .croft("scan-text-korean", 2, of: "scan-text-ascii"),
      .croft("scan-text-french", 2, of: "scan-text-ascii"),
      .croft("scan-text-ascii-matches", 2, of: "scan-text-ascii"),
      .croft("scan-text-korean-matches", 2, of: "scan-text-korean"),
      .croft("scan-text-french-matches", 2, of: "scan-text-french"),
    ] + SearchWorkload.all.flatMap(searches) + Workloads.all.flatMap { noneFaster($0.name) }

  /// The bounds of a workload of searches, most of them against SQLite's index.
  private static func searches(_ workload: SearchWorkload) -> [Target] {
    let isNotes = workload.corpus == .notes
    func bound(_ engine: String, _ bound: Double, _ quantity: Quantity = .time) -> Target {
      Target(
        workload: workload.name, quantity: quantity, rival: .engine(engine), bound: bound)
    }
    switch (workload.task, workload.part) {
    case (.build, _):
      return [
        bound("fts5-unicode61", 1), bound("fts5-unicode61", isNotes ? 1.3 : 3, .file),
        bound("fts5-trigram", 1.2, .file),
      ]
    case (.commit, _):
      return [
        bound("fts5-unicode61", isNotes ? 1.5 : 1), bound("fts5-unicode61", 1.3, .written),
      ]
    case (.longest, _): return [bound("fts5-unicode61", 3)]
    case (.words, let part), (.prefixes, let part):
      return [
        bound("fts5-unicode61", part == .first ? 0.2 : 0.3),
        Target(
          workload: workload.name, engine: "croft-segments", rival: .engine("croft"), bound: 2),
      ]
    case (.rare, _):
      return [Target(workload: workload.name, rival: .nanoseconds(500_000), bound: 1)]
    case (.syllable, _), (.syllables, _): return [bound("like", 0.1)]
    case (.parts, .first): return [bound("fts5-trigram", 1)]
    case (.parts, _): return [bound("like", 0.3)]
    case (.phrases, .all): return [bound("croft-scan", 0.5)]
    case (.phrases, _): return []
    }
  }

  /// The ratio that a run came to; nil where it lacks one of the two figures.
  package func ratio(in figures: [Figure]) -> Double? {
    func value(_ workload: String, _ engine: String) -> Double? {
      let figure = figures.first { $0.workload == workload && $0.engine == engine }
      return figure.map(quantity.value(of:))
    }
    let rivalValue =
      switch rival {
      case .engine(let engine): value(workload, engine)
      case .workload(let other): value(other, "croft")
      case .nanoseconds(let limit): limit
      }
    guard let ours = value(workload, engine), let rivalValue, rivalValue > 0 else { return nil }
    return ours / rivalValue
  }
}

extension Target.Quantity {
  fileprivate func value(of figure: Figure) -> Double {
    switch self {
    case .time: figure.nanosecondsPerObject
    case .firstQuartile: figure.firstQuartile
    case .file: Double(figure.fileBytes)
    case .memory: Double(figure.peakBytes)
    case .written: Double(figure.writtenBytes)
    }
  }
}

extension Target {
  /// The end of a report: each bound that the run speaks of, the ratio, and whether it is kept.
  ///
  /// - Returns: nil when the run speaks of none.
  package static func report(on figures: [Figure]) -> String? {
    let rows = rows(on: figures)
    return rows.isEmpty ? nil : "targets\n" + Table.text(columns, rows)
  }

  /// The same as a table in Markdown.
  static func markdown(on figures: [Figure]) -> String? {
    let rows = rows(on: figures)
    return rows.isEmpty ? nil : MarkdownTable.text(columns, rows)
  }

  private static let columns = ["workload", "croft's", "against", "bound", "ratio", "verdict"]

  private static func rows(on figures: [Figure]) -> [[String]] {
    all.compactMap { target in
      target.ratio(in: figures).map { ratio in
        [
          target.workload, target.figureName, target.rivalName,
          "<= " + Table.fixed(target.bound, digits: 3), Table.fixed(ratio, digits: 3),
          ratio <= target.bound ? "met" : "missed",
        ]
      }
    }
  }

  private var figureName: String {
    engine == "croft" ? quantity.rawValue : "\(quantity.rawValue) of \(engine)"
  }

  private var rivalName: String {
    switch rival {
    case .engine(let name): name
    case .workload(let name): "croft " + name
    case .nanoseconds(let limit): "\(Int(limit)) ns"
    }
  }
}
