/// A figure that the run of the page does not measure: what another command gave on one day.
///
/// After another run of the command, replace the result and the day here. The page of figures lists
/// all of them.
package struct RecordedResult: Sendable {
  /// What was measured.
  package let subject: String
  /// What came out.
  package let result: String
  /// The day, as in 2026-11-22.
  package let date: String
  /// What repeats it.
  package let command: String

  init(_ subject: String, _ result: String, _ date: String, _ command: String) {
    self.subject = subject
    self.result = result
    self.date = date
    self.command = command
  }

  private static let million = "`Scripts/torture --filter MillionObjectsTests`"
  private static let soak = "`Scripts/torture --filter 'LiveHubSoakTests\\|LiveQueryModelTests'`"

  /// A loop over one operation, counted for one number of repetitions and for twice as many.
  private static let counted = "`valgrind --tool=callgrind` of a loop"
  private static let built = "`swift build -c release` of a program of three lines"

  private static func instructions(_ subject: String, _ result: String) -> RecordedResult {
    RecordedResult("instructions of " + subject, result, "2026-11-22", counted)
  }

  /// Storage with a million objects.
  private static func largest(
    _ subject: String, _ result: String, only name: String, on date: String = "2026-11-29"
  ) -> RecordedResult {
    RecordedResult(subject, result, date, "`Scripts/bench --size 1000000 --only \(name)`")
  }

  /// Parts of one large thing, in three sizes.
  private static func grown(_ subject: String, _ result: String) -> RecordedResult {
    RecordedResult(
      subject, result, "2026-12-01", "`Scripts/bench --size 100000 --only large --growth`")
  }

  /// Replication by a PostgreSQL server on the same machine.
  private static func sync(_ subject: String, _ result: String) -> RecordedResult {
    RecordedResult(subject, result, "2026-11-29", "`Scripts/bench --only sync`")
  }

  /// The studio on a store of 1,000,000 to-dos, the median of 20 pages.
  private static func studio(_ subject: String, _ result: String) -> RecordedResult {
    RecordedResult(
      "the studio of 1,000,000 to-dos: " + subject, result, "2026-11-29",
      "`Scripts/studio-figures`")
  }

  /// The least and the greatest median of some runs.
  private static func runs(
    _ subject: String, _ result: String, only name: String, _ runs: String
  ) -> RecordedResult {
    RecordedResult(subject, result, "2026-11-23", "`Scripts/bench --only \(name)`, \(runs)")
  }

  /// Most of the lower ones of Croft are from the half with the higher load; why was not looked for.
  private static let eightRuns = "eight runs, half of them with a load average above 2"
  private static let fourRuns = "four runs, load average about 2"

  /// Every recorded figure, in the order of the page.
  package static let all = other + growth

  private static let other: [RecordedResult] = [
    RecordedResult(
      "a million objects with two indexes, loaded in one durable transaction", "3.6 s",
      "2026-11-21", million),
    RecordedResult("the same store opened", "less than 1 ms", "2026-11-21", million),
    RecordedResult("opened with two fields more", "10.0 ms", "2026-11-21", million),
    RecordedResult("opened with a renamed field", "9.3 ms", "2026-11-21", million),
    RecordedResult("all of its objects decoded", "321 ms", "2026-11-21", million),
    RecordedResult(
      "compacted after half was deleted", "from 159 to 79 MiB in 478 ms", "2026-11-21", million),
    RecordedResult(
      "100,000 objects with a UUID as the key and nine indexes, inserted at once (SQLite)",
      "47.8 MB, 31.9 of them entries (30.0)", "2026-11-30", "a program of one model, `mdb_stat`"),
    RecordedResult(
      "the same, inserted in 100 transactions (SQLite)", "86.0 MB (30.0)", "2026-11-30",
      "a program of one model, `mdb_stat`"),
    RecordedResult(
      "the list of `todo` with 100,000 tasks of a todo.txt file imported, each with a project, a context and two "
        + "days, all of them removed, and brought back by undo (before records had short keys and undo filled its pages)",
      "71.9, 86.0 and 80.9 MB (79.5, 94.9 and 116.0)", "2026-12-01",
      "`todo import FILE`, `todo rm --all --yes`, `todo undo`"),
    RecordedResult(
      "a process's own memory after a million small commits under three observers",
      "4.9 MB, 4.2 MB at the start", "2026-11-21", soak),
    RecordedResult(
      "10,000 `todo add` lines on standard input, each a durable commit with a step of undo (before the journal)",
      "5.4 to 5.8 s (5.9 and 6.2 s)", "2026-11-30",
      "`seq 10000 \\| sed 's/.*/add item & !n/' \\| Scripts/todo --db FILE`"),
    RecordedResult(
      "`todo add` as a command of its own, from its start to its end", "19 ms", "2026-11-30",
      "a loop of 200 of them, timed"),
    RecordedResult(
      "`todo ls` of one item, as `Scripts/install` links it: CPU time, and from its start to its end "
        + "(with the libraries of Swift loaded when it starts)",
      "11.0 and 12.9 ms (16.9 and 18.5 ms)", "2026-11-30",
      "`perf stat -r 100 todo --db FILE ls`"),
    RecordedResult(
      "a checkpoint after 256 commits of one object among 100,000 with two indexes (for each commit)",
      "6.5 to 9.4 ms (25 to 37 µs)", "2026-11-30",
      "`strace -f -y -T -e fdatasync` of three runs of `write-single`: the syncs of the data file"),
    RecordedResult(
      "`todo ls` of 200 items whose list was not closed, with 200 commits in the journal (closed)",
      "36.6 ms (23.9 ms)", "2026-11-30",
      "copies of both files of an open list, `perf stat todo --db FILE ls`"),
    RecordedResult(
      "a program that links Foundation's network, started (FoundationEssentials alone)",
      "41 ms (3 ms)", "2026-11-21", "two programs of one line each, timed"),
    RecordedResult(
      "the first release build of a package that uses Croft (GRDB): processor time",
      "477 s, most of it for swift-syntax (49 s)", "2026-11-24",
      "`swift build -c release` of a package of seven models, timed"),
    RecordedResult(
      "a nested transaction, for each place for a database (1,024 places; 8,192)",
      "1 ns (1.2 µs; 9 µs)", "2026-11-21", "a loop of transactions, timed"),
    RecordedResult(
      "the start of a write, for each place for a database", "0.1 ns", "2026-11-21",
      "a loop of transactions, timed"),
    RecordedResult(
      "the start of any transaction, for each place that is used", "2 to 3 ns", "2026-11-21",
      "a loop of transactions, timed"),
    RecordedResult(
      "an ascending insert that appends (one that searches)", "90 ns (150 ns)", "2026-11-21",
      "a loop of inserts, timed"),
    RecordedResult(
      "a line parsed by swift-argument-parser with a tree of all verbs, beside the prompt's grammar",
      "1,000 times the instructions; for a wrong option half as many again", "2026-11-22",
      counted),
    instructions("an element through a generic `Queue` (`Deque`)", "137 (2,881)"),
    instructions("a scheduled action through a `Queue` (`Deque`)", "457 (499)"),
    instructions("an element into a full generic `ReplayBuffer` (`Deque`)", "988 (2,480)"),
    instructions("an insertion and a removal, `Bag` of 1 (`OrderedDictionary`)", "531 (880)"),
    instructions("the same, of 10 and of 1,000", "867 (945), 1,033 (4,026)"),
    instructions("an insertion and a removal, `TimedQueue` of 10 (`Heap`)", "1,198 (786)"),
    instructions("the same, of 1,000", "1,741 (1,041)"),
    instructions("a binary search in 1,000 integers (`partitioningIndex`)", "194 (165)"),
    instructions("a search in a node of a result's tree (the same)", "147 (235)"),
    instructions("a search on a page of 100 keys (the same)", "358 (838)"),
    instructions(
      "noting 50,000 of 100,000 pages (`BitSet`, `BitArray`)", "3.20 (4.52, 7.85) million"),
    instructions("four operations of the planner's set (`BitSet`)", "23 (1,280)"),
    instructions(
      "1,000 keys into a `ByteSet`, 1,000 looked up (`OrderedSet<[UInt8]>`)",
      "1.76 (4.94) million"),
    instructions(
      "4 KiB read by the module `LMDB` (swift-system), without the kernel's", "85 (112)"),
    RecordedResult(
      "what `HeapModule` adds to a program (stripped), to its build and to its start",
      "81 kB, 2.7 s of CPU, 0.10 million instructions", "2026-11-22", built),
    RecordedResult("the same of `Algorithms`", "850 kB, 11.5 s, 0.38 million", "2026-11-22", built),
    RecordedResult(
      "the same of `SystemPackage`", "308 kB, 9.6 s, 0.67 million", "2026-11-22", built),
    runs(
      "a live count after a commit of one of 1,000, 10,000, 100,000 and 1,000,000 objects (GRDB)",
      "29 to 106 (51 to 151), 24 to 113 (88 to 236), 32 to 102 (520 to 980), "
        + "29 to 110 (5,700 to 11,200) µs", only: "live-count --size N", eightRuns),
    runs(
      "a live sum after the same (GRDB)",
      "25 to 149 (80 to 239), 24 to 93 (286 to 651), 31 to 120 (2,500 to 5,300), "
        + "36 to 126 (28,000 to 30,000) µs", only: "live-sum --size N", eightRuns),
    runs(
      "live counts of 100 groups after the same (GRDB)",
      "101 to 292 (103 to 257), 100 to 254 (338 to 847), 104 to 205 (2,900 to 6,200), "
        + "104 to 197 (31,000 to 47,000) µs", only: "live-group --size N", eightRuns),
    runs(
      "a folded `contains` over 50,000 ASCII, Korean and French titles "
        + "(`LIKE`; `localizedStandardContains` over fetched rows)",
      "2.9 to 3.1 (3.5 to 3.6; 60 to 65), 3.2 to 4.4 (4.1 to 4.5; 77 to 87), "
        + "3.8 to 5.1 (-; 73 to 115) ms", only: "scan-text", fourRuns),
    runs(
      "an exact one (`instr`; Swift's `contains` over fetched rows)",
      "2.2 to 2.5 (3.1 to 3.4; 26 to 38), 2.6 to 3.6 (3.7 to 6.0; 40 to 68), "
        + "2.9 to 3.0 (3.3 to 3.4; 48 to 50) ms", only: "scan-text", fourRuns),
    largest(
      "1,000,000 objects inserted with two indexes in a transaction (LMDB in C; SQLite in C; GRDB), for each",
      "583 ns (762; 4,774; 5,893)", only: "insert-indexed", on: "2026-11-30"),
    largest(
      "the same under random keys, in random order (the same peers)",
      "1,771 ns (3,596; 11,403; 12,288)", only: "insert-uuid", on: "2026-11-30"),
    largest(
      "the same without an index (the same)",
      "211 ns (101; 741; 1,781)", only: "insert-plain", on: "2026-11-30"),
    largest(
      "a quarter of 1,000,000 objects deleted by a query (the same), for each of them",
      "1,584 ns (1,433; 5,303; 5,134)", only: "delete-quarter", on: "2026-11-30"),
    largest(
      "1,000,000 objects deleted one by one in a transaction (the same), for each",
      "557 ns (908; 4,165; 4,967)", only: "delete-each", on: "2026-11-30"),
    largest(
      "all of 1,000,000 objects deleted (LMDB in C; SQLite in C), for each",
      "2.8 ns (2.2; 244)", only: "delete-all"),
    largest(
      "1,000,000 objects changed one by one in a transaction (LMDB in C; SQLite in C; "
        + "GRDB), for each",
      "241 ns (117; 687; 1,134)", only: "update-plain"),
    largest(
      "1,000,000 objects read by their keys (the same peers), for each",
      "603 ns (722; 2,062; 3,919)", only: "read-key", on: "2026-11-30"),
    largest(
      "a page of 1,000,000 objects, read by the last object of the page before (the same)",
      "50 µs (17.0; 10,488; 10,753)", only: "read-page", on: "2026-11-30"),
    largest(
      "a group of 1,000,000 objects counted by an index (the same)",
      "2.2 µs (0.4; 6.3; 21.7)", only: "count-group", on: "2026-11-30"),
    largest(
      "1,000,000 objects counted by a condition without an index (the same), for each",
      "26 ns (20; 67; 66)", only: "scan-count", on: "2026-11-30"),
    largest(
      "1,000,000 objects with two indexes changed one by one in a transaction (the same), for each",
      "569 ns (712; 1,888; 2,413)",
      only: "update-indexed", on: "2026-11-30"),
    largest(
      "a commit of one object among 1,000,000 (the same)",
      "255 µs (365; 201; 230), the 25th percentile 1.43 of SQLite's and 1.12 of GRDB's",
      only: "write-single", on: "2026-11-30"),
    largest(
      "the same, 1,000 of them asked for at once (the same), for each",
      "48 µs (328; 188; 212)",
      only: "write-concurrent", on: "2026-11-30"),
    largest(
      "about a hundred of 1,000,000 objects fetched by an index (the same)",
      "83 µs (88; 194; 278)",
      only: "read-group", on: "2026-11-30"),
    largest(
      "1,000,000 objects decoded (the same), for each",
      "110 ns (25; 183; 388)",
      only: "scan-decode", on: "2026-11-30"),
    largest(
      "the first hundred of 1,000,000 objects in an order without an index (the same), for each",
      "35 ns (27; 77; 77)",
      only: "sort-first", on: "2026-11-30"),
    grown(
      "a reference appended to a collection of 10,000, 100,000 and 1,000,000, for each that it has",
      "249, 285 and 322 ns"),
    grown(
      "an object deleted that such a collection has, for each",
      "332, 368 and 403 ns"),
    grown(
      "conditions joined by an or, 500, 5,000 and 50,000, counted by an index, for each",
      "3.3, 3.3 and 3.7 µs"),
    grown(
      "a text changed beside a value of 1, 10 and 100 MB, for each 100 bytes",
      "40, 210 and 125 ns"),
    grown(
      "observers of one object each, 100, 1,000 and 10,000, for each",
      "26.0, 30.2 and 31.1 µs"),
    grown(
      "stores in memory with an observer and a commit, 10, 100 and 1,000, for each",
      "0.9, 1.1 and 1.1 ms"),
    studio("from its start to its address", "25 ms"),
    studio("the list of models", "0.8 ms"),
    studio("the first page, and a page by a key", "27 and 27 ms, 32 at most"),
    studio("a filter that most match, also by text", "27 ms, 31 at most"),
    studio("a filter that one matches, by an index and by text", "34 and 41 ms"),
    studio("the count of a filter by text", "40 ms"),
    studio("the values to filter by", "273 ms"),
    studio("an export as CSV, 154 MB, and what its memory grew by", "13.1 s, 0 MB"),
    sync(
      "a commit of one object of a replicated model (not replicated)",
      "175 µs (173 µs)"),
    sync(
      "a commit of 10,000 objects of it (not replicated)",
      "26.8 ms (19.6 ms)"),
    sync(
      "a commit until another store sees it, by way of PostgreSQL (plain calls of libpq)",
      "3.5 ms, 99 of 100 within 8.0 ms (0.4 ms, 0.8 ms)"),
    sync(
      "a push of 10,000 objects (plain calls of libpq)",
      "153 ms (74 ms)"),
    sync(
      "a first push of 1,000,000 objects, and its own memory",
      "28.4 s, 200 MB"),
    sync(
      "a first load of 1,000,000 objects (rows read and counted by plain calls of libpq)",
      "10.3 s (0.6 s)"),
    sync(
      "its own memory, and with the mapped pages of its file",
      "261 MB, 491 MB"),
    RecordedResult(
      "the same load in a control group of 400 MB of memory", "10.4 s", "2026-11-29",
      "`Scripts/bench --only sync`, the process of the load in a control group"),
  ]

  /// The last section of the page.
  static var section: String {
    let rows = all.map { [$0.subject, $0.result, $0.date, $0.command] }
    return """
      ## Recorded from other commands

      One run each, where the command does not tell otherwise, on two cores of a shared virtual
      machine with other programs at work.
      `Sources/Harness/Page/RecordedResult.swift` holds them.


      """ + MarkdownTable.text(["what", "result", "day", "command"], rows, isNumeric: false)
  }
}
