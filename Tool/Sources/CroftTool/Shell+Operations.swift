import Croft
import Foundation

extension Shell {
  /// The bytes of a dump that are written at a time.
  private static let bytesPerWrite = 64 << 10

  /// The store is damaged; the description names the first problems.
  struct DamagedStore: Error, CustomStringConvertible {
    let result: Verification

    var description: String {
      let count = result.problemCount == 1 ? "1 problem" : "\(result.problemCount) problems"
      return (["the store has \(count)"] + result.problems).joined(separator: "\n  ")
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
    case .backup(let copy):
      try file.reading().backup(to: URL(filePath: copy))
      try write("Copied to \(copy.escaped()).\n")
    case .compact(let copy?):
      try file.reading().compact(to: URL(filePath: copy))
      try write("Copied to \(copy.escaped()), without free pages.\n")
    case .compact(nil):
      let before = try file.reading().statistics.fileBytes
      try file.compact()
      try write("Compacted: \(try file.reading().statistics.fileBytes) bytes, \(before) before.\n")
    }
  }

  /// Names what is damaged; an error where anything is.
  private func verify() throws {
    let result = try file.reading().verify()
    if !result.isSound { throw DamagedStore(result: result) }
    try write("The store is sound: \(result.rows) objects, \(result.indexEntries) index entries.\n")
  }

  private func dump() throws {
    var (lines, count) = (Data(), 0)
    defer { streams.showProgress("") }
    try file.reading().dump { line in
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

  private func writeReaders() throws {
    try write(
      ["process", "commits since", "pinned bytes"],
      file.reading().statistics.readers.map { reader in
        [reader.process, reader.commitsBehind, reader.pinnedBytes].map { .int(Int64($0)) }
      })
  }
}
