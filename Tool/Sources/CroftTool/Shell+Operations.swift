import Croft
import Foundation

extension Shell {
  /// The bytes of a dump that are written at a time.
  private static let bytesPerWrite = 64 << 10
  /// The most commits of the log that are written.
  private static let commitsMax = 100

  /// The store is damaged; the description names the first problems.
  struct DamagedStore: Error, CustomStringConvertible {
    let count: Int
    let problems: [String]

    var description: String {
      let problems = ["the store has \(count == 1 ? "1 problem" : "\(count) problems")"] + problems
      return problems.joined(separator: "\n  ")
    }
  }

  /// Does work on the whole file.
  ///
  /// - Throws: ``DamagedStore``; `StoreError`; what writing throws.
  func perform(_ operation: FileOperation) throws {
    switch operation {
    case .verify: try verify()
    case .dump: try dump()
    case .load:
      throw ShellCommand.Problem(
        reason: "the lines of a dump make a new file: end this run, and write croft load FILE")
    case .stats: try writeStatistics()
    case .readers: try writeReaders()
    case .log: try writeLog()
    case .diff(let other, let models): try writeDifferences(to: other, of: models)
    case .importRows(let request): try importRows(request)
    case .repair(let copy): try repair(to: copy)
    case .backup(let copy):
      defer { streams.showProgress("") }
      try file.reading().backup(to: URL(filePath: copy)) { try showProgress($0) }
      streams.showProgress("")
      try write("Copied to \(copy.escaped()).\n")
    case .compact(let copy?):
      defer { streams.showProgress("") }
      try file.reading().compact(to: URL(filePath: copy)) { try showProgress($0) }
      streams.showProgress("")
      try write("Copied to \(copy.escaped()), without free pages.\n")
    case .compact(nil):
      guard writes else {
        throw ShellCommand.Problem(
          reason: "without the name of a copy the file is replaced: start croft with --write")
      }
      let before = try file.reading().statistics.fileBytes
      streams.showProgress("0 of \(Self.megabytes(before))")
      defer { streams.showProgress("") }
      try file.compact()
      streams.showProgress("")
      try write("Compacted: \(try file.reading().statistics.fileBytes) bytes, \(before) before.\n")
    }
  }

  /// Shows how far a copy is, and ends it at the prompt after ^C.
  private func showProgress(_ progress: CopyProgress) throws {
    try checkInterrupt()
    streams.showProgress(
      "\(Self.megabytes(progress.bytesCopied, hasUnit: false)) of \(Self.megabytes(progress.bytes))"
    )
  }

  private static func megabytes(_ bytes: Int, hasUnit: Bool = true) -> String {
    "\(bytes >> 20)" + (hasUnit ? " MiB" : "")
  }

  /// Names what is damaged; an error where anything is.
  private func verify() throws {
    let store: Store
    do { store = try file.reading() } catch StoreError.corrupt(let model, let key, let reason) {
      // Without its catalog nothing else of it can be checked.
      let problem = StoreError.corrupt(model: model, key: key, reason: reason)
      throw DamagedStore(count: 1, problems: ["\(problem)"])
    }
    defer { streams.showProgress("") }
    streams.showProgress("pages")
    let result = try store.verify { result in
      try checkInterrupt()
      streams.showProgress("\(result.rows) objects, \(result.indexEntries) index entries")
    }
    streams.showProgress("")
    if !result.isSound {
      throw DamagedStore(count: result.problemCount, problems: result.problems)
    }
    try write("The store is sound: \(result.rows) objects, \(result.indexEntries) index entries.\n")
  }

  private func dump() throws {
    var (lines, count) = (Data(), 0)
    defer { streams.showProgress("") }
    try file.reading().dump { line in
      try checkInterrupt()
      lines += Data((line + "\n").utf8)
      if lines.count >= Self.bytesPerWrite {
        try streams.write(lines)
        lines.removeAll(keepingCapacity: true)
        if !streams.isOutputTerminal { streams.showProgress("\(count) objects") }
      }
      count += 1
    }
    try streams.write(lines)
  }

  private func writeStatistics() throws {
    let store = try file.reading()
    let statistics = try store.statistics
    var rows: [[StoredValue]] = []
    func add(_ part: String, named name: String? = nil, entries: Int? = nil, bytes: Int) {
      rows.append([
        .string(part), name.map { StoredValue.string($0) } ?? StoredValue.none,
        entries.map { StoredValue.int(Int64($0)) } ?? StoredValue.none, .int(Int64(bytes)),
      ])
    }
    add("file", bytes: statistics.fileBytes)
    add("free", bytes: statistics.freeBytes)
    add("pinned", bytes: statistics.pinnedBytes)
    if let log = statistics.log { add("log", entries: log.entries, bytes: log.bytes) }
    for model in try store.models {
      add("model", named: model.name, entries: model.objectCount, bytes: model.bytes)
    }
    try write(["part", "name", "entries", "bytes"], rows)
  }

  /// Writes the commits that the log has, and says which one is the last.
  private func writeLog() throws {
    let (last, commits) = try file.reading().read { tx in
      (try tx.lastCommit(), try tx.loggedCommits(limit: Self.commitsMax))
    }
    let nothing = StoredValue.none
    try write(
      ["commit", "model", "objects", "keys"],
      commits.flatMap { commit -> [[StoredValue]] in
        let number = StoredValue.int(Int64(commit.sequence))
        guard let changes = commit.changes else {
          return [[number, .string("(cannot be read)"), nothing, nothing]]
        }
        if changes.isEmpty { return [[number, nothing, nothing, nothing]] }
        return changes.map { change in
          [
            number, .string(change.model ?? "(no model)"),
            change.keys.map { .int(Int64($0.count)) } ?? nothing,
            change.keys.map { .list($0.map { .string($0) }) } ?? nothing,
          ]
        }
      })
    streams.report(
      "The last commit is number \(last). The log has the commits that were made while another "
        + "program had the file open, without times and names; \(commits.count) of at most "
        + "\(Self.commitsMax) are listed.")
  }

  private func writeReaders() throws {
    try write(
      ["process", "commits since", "pinned bytes", "seconds", "snapshot"],
      file.reading().statistics.readers.map { reader in
        [reader.process, reader.commitsBehind, reader.pinnedBytes].map { .int(Int64($0)) } + [
          reader.age.map { .int($0.components.seconds) } ?? StoredValue.none,
          reader.name.map { .string($0) } ?? StoredValue.none,
        ]
      })
  }
}
