import Croft
import Foundation

extension Shell {
  /// The bytes of an exported file that are written at a time.
  private static let bytesPerExport = 64 << 10

  /// Writes the result of a query into a new file, in the format of its name or in that of results.
  ///
  /// The file has its name when it is complete. Until then it is beside that, so that a run that is
  /// ended leaves no part of a result with the name.
  ///
  /// - Throws: ``ShellCommand/Problem`` where there is such a file; `QueryTextError`; `StoreError`;
  ///   ``NotExported``.
  func export(_ text: String, to path: String) throws {
    let query = try self.query(text)
    let store = try file.reading()
    let names = try store.read { try $0.names(of: query) }
    let named = OutputFormat(ofFile: path)
    try (named ?? format).check(names)
    try Self.refuseFile(at: path)
    if Self.isLink(path) {
      throw NotExported(path: path, reason: "there is a link of that name, which leads nowhere")
    }
    let url = URL(filePath: path)
    let draft = Self.draft(of: url)
    var (count, isMade) = (0, false)
    do {
      // A run that was killed may have left one. The error is ignored: the next line has it, too.
      unlink(draft.path)
      try Data().write(to: draft, options: .withoutOverwriting)
      isMade = true
      let handle = try FileHandle(forWritingTo: draft)
      var pending = Data()
      let target = Streams(
        readLine: { nil },
        write: { bytes in
          pending += bytes
          guard pending.count >= Self.bytesPerExport else { return }
          try handle.write(contentsOf: pending)
          pending.removeAll(keepingCapacity: true)
        }, report: streams.report)
      var writer = RowWriter(named ?? format, names, to: target)
      try store.read(onProgress: interruptCheck) { tx in
        try tx.forEach(query) { object, _ in
          try checkInterrupt()
          try writer.add(object.values)
          count += 1
        }
      }
      try writer.finish()
      try handle.write(contentsOf: pending)
      try handle.close()
      // Fails where somebody else has made a file of the name meanwhile.
      try FileManager.default.moveItem(at: draft, to: url)
    } catch {
      // The error is ignored: the one before is reported.
      if isMade { try? FileManager.default.removeItem(at: draft) }
      if error is StoreError || error is QueryTextError || error is Interrupted { throw error }
      throw NotExported(path: path, reason: error.localizedDescription)
    }
    try write("Exported \(count) \(count == 1 ? "row" : "rows") to \(path.escaped()).\n")
    if named == nil {
      streams.report(
        "croft: the file is in the format of results, \(format.rawValue): its name has no ending "
          + "of \(OutputFormat.endingNames)")
    }
  }

  /// The file beside a new one that has its bytes until they are complete.
  static func draft(of file: URL) -> URL {
    file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).croft-export")
  }

  private static func isLink(_ path: String) -> Bool {
    // The error is ignored: what cannot be read as a link is none, or is not there.
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// Refuses the name of a new file that is there.
  ///
  /// - Throws: ``ShellCommand/Problem``.
  static func refuseFile(at path: String) throws(ShellCommand.Problem) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    throw ShellCommand.Problem(
      reason: "there is a file \(path.escaped()) already; choose another name, or remove it first")
  }

  /// A file of results that cannot be written.
  struct NotExported: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path.escaped()) cannot be written: \(reason)" }
  }
}

extension FileOperation {
  /// Refuses a copy with the name of a file that is there.
  ///
  /// - Throws: ``ShellCommand/Problem``.
  func checkCopy() throws(ShellCommand.Problem) {
    switch self {
    case .backup(let copy), .compact(let copy?), .repair(let copy):
      try Shell.refuseFile(at: copy)
    default: break
    }
  }
}

extension OutputFormat {
  /// The format that the name of a file ends with; nil for another ending.
  init?(ofFile path: String) {
    let ending = path.split(separator: ".").last.map { $0.lowercased() }
    guard let format = Self.endings.first(where: { $0.ending == ending })?.format else {
      return nil
    }
    self = format
  }

  /// The endings of files, and the formats that they name.
  static let endings: [(ending: String, format: OutputFormat)] = [
    ("csv", .csv), ("json", .json), ("ndjson", .ndjson), ("jsonl", .ndjson), ("md", .md),
    ("tsv", .plain), ("txt", .plain),
  ]

  /// The endings, for messages.
  static var endingNames: String { endings.map(\.ending).joined(separator: ", ") }
}
