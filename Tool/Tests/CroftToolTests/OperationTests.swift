import Croft
import Foundation
import Testing

@testable import CroftTool

/// Operations whose results differ from file to file; the Golden folder has the others.
@Suite struct OperationTests {
  private let store: BookStore
  private var file: String { store.file }

  init() throws { store = try BookStore() }

  private func run(_ words: [String], input: [String] = []) -> ToolRun {
    ToolRun(words, input: input, isShown: false)
  }

  @Test func statisticsAreRows() throws {
    let lines = run(["-o", "csv", "stats", file]).output.split(separator: "\n").map(String.init)
    let bytes = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    #expect(lines.first == "part,name,entries,bytes")
    #expect(lines.dropFirst().first == "file,,,\(bytes ?? 0)")
    #expect(lines.contains { $0.hasPrefix("free,,,") } && lines.contains("pinned,,,0"))
    #expect(lines.contains { $0.hasPrefix("model,Author,2,") })
    #expect(lines.contains { $0.hasPrefix("model,Book,3,") })
    #expect(run(["-o", "csv", file, ".stats"]).output == run(["-o", "csv", "stats", file]).output)
  }

  /// The misspelt word was a file that is not there, and the operation after the file a model.
  @Test func anOperationThatIsMisspeltOrMisplacedIsTold() throws {
    for (word, meant) in [
      ("verfy", "verify"), ("Verify", "verify"), ("backp", "backup"), ("lod", "log"),
      ("improt", "import"), ("stduio", "studio"), ("compakt", "compact"),
    ] {
      let run = run([word, file])
      #expect(run.code == 64, "\(word)")
      #expect(
        run.messages == ["croft: croft has no operation \(word); did you mean \(meant)?"])
    }
    let unlike = run(["frob", file]).messages
    #expect(unlike == ["croft: croft has no operation frob; croft --help lists them"])
    #expect(run(["verfy", "none.croft"]).code == 66 && run(["./verfy", file]).code == 66)
    for word in FileOperation.names {
      let given = run([file, word])
      #expect(given.code == 64 && given.messages.count == 1, "\(word)")
      #expect(given.messages.joined().contains("croft \(word) FILE"), "\(given.messages)")
      let read = run([file], input: [word + ";"])
      #expect(read.code == 1 && read.messages.joined().contains("croft \(word) FILE"))
      // Each name is one of an operation; the words that it needs are missing or are there.
      do {
        #expect(try FileOperation(word, []) != nil)
      } catch {
        #expect(error.reason.contains("needs"), "\(word)")
      }
    }
    #expect(run([file, "backup", "copy.croft"]).messages.joined().contains("croft backup FILE"))
  }

  /// With --keep-going the lines after a `begin` that failed were commits of their own.
  @Test func aTransactionThatDoesNotBeginIsNotDoneLineByLine() throws {
    let kept = store.folder.appending(path: "kept").path
    var lines = ["begin", "delete Book;", "commit"]
    var messages: [String] = []
    let streams = Streams(
      readLine: {
        let manager = FileManager.default
        do {
          if lines.count == 3 {
            try manager.moveItem(atPath: file, toPath: kept)
            try Data("no store".utf8).write(to: URL(filePath: file))
          } else if lines.count == 2 {
            try manager.removeItem(atPath: file)
            try manager.moveItem(atPath: kept, toPath: file)
          }
        } catch { Issue.record(error) }
        return lines.isEmpty ? nil : lines.removeFirst()
      },
      write: { _ in }, report: { messages.append($0) })
    #expect(Program.run(["--write", "--keep-going", file], streams) == 1)
    #expect(messages.count == 1 && messages[0].hasPrefix("croft: line 1: "))
    #expect(lines == ["delete Book;", "commit"])
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: kept, toPath: file)
    #expect(try store.open().fetch(Book.all).count == 3)
  }

  @Test func aDumpIsLoadedAsAnEqualFile() throws {
    let dump = run(["dump", file])
    #expect(dump.code == 0 && dump.messages == [])
    #expect(run([file, ".dump"]).output == dump.output)
    let lines = dump.output.split(separator: "\n").map(String.init)
    let copy = store.folder.appending(path: "loaded.croft").path
    let load = run(["load", copy], input: lines)
    #expect(load.code == 0 && load.output == "Loaded 5 objects.\n" && load.messages == [])
    #expect(run(["dump", copy]).output == dump.output)
    #expect(run([copy, "Book"]).output == run([file, "Book"]).output)
    #expect(run(["verify", copy]).output == run(["verify", file]).output)
    // A load replaces no file, and takes no part of a dump.
    #expect(run(["load", copy], input: lines).code == 1)
    let other = store.folder.appending(path: "other.croft").path
    let part = run(["load", other], input: lines.dropLast())
    #expect(part.code == 1 && part.messages.first?.contains("ends before its last line") == true)
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func damageIsAFailure() throws {
    var bytes = try Data(contentsOf: URL(filePath: file))
    while let title = bytes.range(of: Data("Sea".utf8)) {
      bytes.replaceSubrange(title, with: Data("Tea".utf8))
    }
    try bytes.write(to: URL(filePath: file))
    for words in [["verify", file], [file, ".verify"]] {
      let run = self.run(words)
      #expect(run.code == 1 && run.output == "")
      #expect(run.messages.count == 1)
      #expect(run.messages.first?.hasPrefix("croft: the store has ") == true)
    }
  }

  @Test func compactingMakesTheFileSmaller() throws {
    try store.open().write { tx in
      try tx.insert(
        contentsOf: (10..<2_000).map { Book(id: $0, title: "number \($0)", year: $0) })
    }
    try store.open().write { try $0.delete(Book.where { $0.id >= 10 }) }
    func size() throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    }
    let before = try size()
    let copy = store.folder.appending(path: "copy.croft").path
    #expect(run(["compact", file, copy]).code == 0)
    #expect(try size() == before)
    let lines = ["insert Author {id: 9, name: \"Eve\"}", ".compact", "Author select count"]
    let typed = run(["--write", file], input: lines)
    #expect(typed.code == 0 && typed.messages == [])
    let after = try size()
    #expect(after < before)
    #expect(typed.output == "1\nCompacted: \(after) bytes, \(before) before.\n3\n")
    #expect(run([copy, "Book select count", "Author select count"]).output == "3\n2\n")
    let copied = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int
    #expect(try #require(copied) < before)
  }

  /// Nobody may have a file open that is replaced; a copy can be made of it all the same.
  @Test func anOpenFileIsNotReplaced() throws {
    let other = try Reading(of: file, in: store)
    let before = try Data(contentsOf: URL(filePath: file))
    // Without --write it is not tried.
    #expect(run(["compact", file]).messages.first?.contains("--write") == true)
    let refused = run(["--write", "compact", file])
    #expect(refused.code == 1 && refused.messages.count == 1)
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
    #expect(run(["compact", file, store.folder.appending(path: "copy.croft").path]).code == 0)
    try other.finish()
    #expect(run(["--write", "compact", file]).code == 0)
  }

  /// A link to nothing was removed, though the result was not written.
  @Test func aNameThatIsTakenIsLeftAlone() throws {
    let link = store.folder.appending(path: "link.csv").path
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: store.folder.appending(path: "none").path)
    let run = run([file, ".export \(link) Book"])
    #expect(run.code == 1 && run.messages.first?.contains("cannot be written") == true)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("none"))
    #expect(!FileManager.default.fileExists(atPath: link))
  }

  /// A run that was killed left a part of the result with the name of the file.
  @Test func anExportHasItsNameWhenItIsComplete() throws {
    let new = store.folder.appending(path: "new.csv")
    let draft = Shell.draft(of: new)
    try Data("left by a run that was killed".utf8).write(to: draft)
    var (lengths, isThere, messages) = ([Int](), false, [String]())
    var streams = Streams(readLine: { nil }, write: { _ in }, report: { messages.append($0) })
    streams.isInterrupted = {
      lengths.append((try? Data(contentsOf: draft).count) ?? -1)
      if FileManager.default.fileExists(atPath: new.path) { isThere = true }
      return false
    }
    #expect(Program.run([file, ".export \(new.path) Book select id"], streams) == 0)
    #expect(messages == [] && !isThere)
    #expect(lengths.contains(0), "\(lengths)")
    #expect(try String(contentsOf: new, encoding: .utf8) == "id\n1\n2\n3\n")
    #expect(!FileManager.default.fileExists(atPath: draft.path))
    // A file that somebody else makes meanwhile is left.
    let other = store.folder.appending(path: "other.csv")
    streams.isInterrupted = {
      if FileManager.default.fileExists(atPath: Shell.draft(of: other).path) {
        // The error is ignored: the text is looked at below.
        try? Data("other".utf8).write(to: other)
      }
      return false
    }
    #expect(Program.run([file, ".export \(other.path) Book select id"], streams) == 1)
    #expect(messages.count == 1 && messages.joined().contains("other.csv cannot be written"))
    #expect(try String(contentsOf: other, encoding: .utf8) == "other")
    #expect(!FileManager.default.fileExists(atPath: Shell.draft(of: other).path))
  }

  @Test(
    arguments: [
      "Book where year == -1", ".verify", ".dump", ".export NEW Book where year == -1",
      ".backup NEW", ".compact NEW", "Book where year > 20 select count",
    ])
  func longWorkEndsWithControlC(line: String) throws {
    try store.open().write { tx in
      try tx.insert(contentsOf: (10..<2_000).map { Book(id: $0, title: "number \($0)", year: $0) })
    }
    let new = store.folder.appending(path: "new.csv").path
    var messages: [String] = []
    var streams = Streams(readLine: { nil }, write: { _ in }, report: { messages.append($0) })
    streams.isInterrupted = { true }
    _ = Program.run([file, line.replacingOccurrences(of: "NEW", with: new)], streams)
    #expect(messages == ["croft: interrupted"])
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test func longWorkShowsHowFarItIs() throws {
    try store.open().write { tx in
      try tx.insert(contentsOf: (10..<3_000).map { Book(id: $0, title: "number \($0)", year: $0) })
    }
    let dump = run(["dump", file])
    let lines = dump.output.split(separator: "\n").map(String.init)
    #expect(dump.progress.last?.hasSuffix(" objects") == true)
    let verified = run(["verify", file])
    #expect(verified.progress.first == "pages" && verified.progress.count > 5)
    #expect(verified.progress.last?.hasSuffix(" index entries") == true)
    for (name, copy) in [("backup", "b.croft"), ("compact", "c.croft")] {
      let copied = run([name, file, store.folder.appending(path: copy).path])
      #expect(copied.code == 0 && !copied.progress.isEmpty)
      #expect(copied.progress.allSatisfy { $0.hasSuffix(" MiB") })
    }
    let new = store.folder.appending(path: "new.croft").path
    let loaded = run(["load", new], input: lines)
    #expect(loaded.output == "Loaded \(lines.count - 2) objects.\n")
    let counts = loaded.progress.compactMap { Int($0.prefix { $0.isNumber }) }
    #expect(counts.count > 2 && counts == counts.sorted() && counts.count == loaded.progress.count)
    #expect(counts.allSatisfy { $0 > 0 && $0 <= lines.count - 2 })
    let rows = ["id,title"] + (10..<3_000).map { "\($0),new" }
    let imported = run(["--write", "import", "--update", new, "Book"], input: rows)
    #expect(imported.progress == ["1000 rows", "2000 rows"])
  }

  /// Another process that loads a dump, whose end never comes, is ended as ^C ends it.
  @Test func aLoadThatIsInterruptedLeavesNothing() throws {
    let lines = run(["dump", file]).output.split(separator: "\n")
    let before = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
    let process = Process()
    let input = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft")
    process.arguments = ["load", store.folder.appending(path: "new.croft").path]
    process.standardInput = input
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    // More than a pipe holds, so that it has read the first objects when all of it is written.
    try input.fileHandleForWriting.write(contentsOf: Data((lines[0] + "\n").utf8))
    for id in 10..<20_000 {
      let object = "{\"Author\":{\"id\":\(id),\"name\":\"name \(id)\"}}\n"
      try input.fileHandleForWriting.write(contentsOf: Data(object.utf8))
    }
    process.interrupt()
    // Where the tests run with the signal ignored, the end of the input ends it.
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect([SIGINT, 1].contains(process.terminationStatus))
    let after = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
    #expect(after == before)
  }

  /// These were done to their end.
  @Test(
    arguments: [
      "Book where year > 0 sort by title", "update Book where year > 0 set state = lent",
      "delete Book where year > 0", ".diff OTHER", ".import --update Book ROWS",
    ])
  func longWorkThatSortsOrWritesEndsWithControlC(line: String) throws {
    try store.open().write { tx in
      try tx.insert(contentsOf: (10..<2_000).map { Book(id: $0, title: "number \($0)", year: $0) })
    }
    let (other, rows) = (
      store.folder.appending(path: "other.croft"), store.folder.appending(path: "rows.csv")
    )
    try store.open().backup(to: other)
    let table = (10..<2_000).map { "\($0),new" }
    try (["id,title"] + table).joined(separator: "\n").write(
      to: rows, atomically: true, encoding: .utf8)
    let text = line.replacingOccurrences(of: "OTHER", with: other.path)
      .replacingOccurrences(of: "ROWS", with: rows.path)
    let before = run(["dump", store.file]).output
    for calls in [1, 3] {
      for lines in [[text], ["begin", text, "commit"]] {
        // An import is a transaction of its own.
        if lines.count > 1, text.hasPrefix(".import") { continue }
        var (messages, count, output) = ([String](), 0, "")
        var streams = Streams(
          readLine: { nil }, write: { output += String(decoding: $0, as: UTF8.self) },
          report: { messages.append($0) })
        streams.isInterrupted = {
          count += 1
          return count >= calls
        }
        _ = Program.run(["--write", store.file] + lines, streams)
        #expect(messages.first?.contains("interrupted") == true, "\(messages) \(output)")
        #expect(run(["dump", store.file]).output == before)
      }
    }
    #expect(try store.open().verify().isSound)
  }

  @Test func readersOfOtherProcessesAreNamed() throws {
    #expect(run(["-o", "json", "readers", file]).output == "[]\n")
    let other = try Reading(of: file, in: store)
    let process = other.process.processIdentifier
    // Of other processes neither how long they read nor the name of a snapshot is known.
    #expect(run(["readers", file]).output == "\(process)\t0\t0\t\t\n")
    #expect(run(["--write", file, "delete Author where id == 2"]).code == 0)
    let fields = run([file, ".readers"]).output.split { $0 == "\t" || $0 == "\n" }.map(String.init)
    #expect(fields.count == 3 && fields.first == "\(process)")
    let object = run(["-o", "ndjson", file, ".readers"]).output
    #expect(object.contains("\"seconds\":null,\"snapshot\":null"))
    #expect(fields.dropFirst().allSatisfy { Int($0) ?? 0 > 0 })
    try other.finish()
    #expect(run(["readers", file]).output == "")
  }
}

/// Another process, which reads a file: its results are more than a pipe takes, and wait there.
private struct Reading {
  let process = Process()
  private let results = Pipe()

  init(of file: String, in store: BookStore) throws {
    try store.open().write { tx in
      try tx.insert(
        contentsOf: (10..<500).map {
          Book(id: $0, title: String(repeating: "long ", count: 100), year: $0)
        })
    }
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft")
    process.arguments = [file, "Book"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = results
    try process.run()
    // The first of its results tell that it reads.
    _ = try results.fileHandleForReading.read(upToCount: 1)
  }

  /// Takes its results, so that it ends.
  func finish() throws {
    _ = try results.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
