/// Numbers that switch between two ways of doing the same stand in `Threshold`, where tests set them.
///
/// A number of two digits or more, one that something is compared with, or one that has a name, is a
/// threshold, unless it stands among ``allowed`` with the reason why no test has to cross it.
struct ThresholdRule: Rule {
  private struct Allowance {
    let path: String
    let numbers: Set<String>
    let reason: Reason

    init(_ path: String, _ numbers: String, _ reason: Reason) {
      self.path = path
      self.numbers = Set(numbers.split(separator: " ").map(String.init))
      self.reason = reason
    }
  }

  /// Why a number need not be drawn.
  private enum Reason {
    /// It is a part of the format of the file, of keys, or of rows.
    case format
    /// It is arithmetic: the bits of a word, the base of a number, the seconds of a minute.
    case arithmetic
    /// It is where a buffer starts that grows with what is put into it.
    case initialSize
    /// It is an option of the store or of a call, which a test gives.
    case option
    /// It decides only which plan is taken, and tests take every plan in turn.
    case choiceOfPlan
    /// It decides only what a person reads.
    case text
    /// It is the most that is taken; more is an error that a test shows.
    case bound
    /// It is how long, or how often, something is tried again.
    case patience
    /// It is the number of an error, of a file system, or of a protocol.
    case code
  }

  private static let allowed: [Allowance] = [
    Allowance("Croft/Dynamic/Language/QueryLexer.swift", "65_536", .bound),
    // The forms of hexadecimal numbers and of a UUID.
    Allowance("Croft/Dynamic/Language/QueryLexer.swift", "16 36 13 18 23", .arithmetic),
    Allowance(
      "Croft/Dynamic/Language/QueryMoment.swift",
      "3 0.0 5 60 10 62_000_000_000 252_423_993_600", .arithmetic),
    Allowance("Croft/Dynamic/Language/QueryParser.swift", "32 40", .bound),
    Allowance("Croft/Dynamic/Language/QueryParser+Advice.swift", "200", .text),
    Allowance("Croft/Dynamic/Language/QueryResolver+Operands.swift", "2 3 12", .text),
    Allowance(
      "Croft/Dynamic/Language/QueryTextError.swift",
      "0x1100 0x2E80 0xAC00 0xF900 0xFF00 200", .text),
    Allowance("Croft/Dynamic/Language/QueryTextWriter.swift", "16", .arithmetic),
    Allowance("LMDB/KeyRange.swift", "0xFF", .arithmetic),
    Allowance("LMDB/Environment.swift", "0o600 10 256 30 512 64", .option),
    Allowance("LMDB/Environment.swift", "16_384", .bound),
    // How often a reader checks that its file was not replaced.
    Allowance("LMDB/Core/EnvironmentCore.swift", "100_000_000", .patience),
    // A sixteenth of a map whose size is an option.
    Allowance("LMDB/Core/MapGrowth.swift", "2 3 16", .option),
    Allowance("LMDB/Core/MapGrowth.swift", "20", .patience),
    Allowance("LMDB/Core/EnvironmentRegistry.swift", "9 100", .patience),
    // A part of the lock table, whose size is an option.
    Allowance("LMDB/Core/ReaderPool.swift", "16", .option),
    // The bytes that are copied at a time.
    Allowance("LMDB/Files/Copying.swift", "20", .initialSize),
    Allowance("LMDB/Files/Copying.swift", "3", .patience),
    Allowance("LMDB/C/Handles.swift", "20", .option),
    Allowance("LMDB/Core/EnvironmentRegistry.swift", "20", .option),
    Allowance(
      "LMDB/Files/DataFile.swift", "0o777 100 20 1_000_000 50_000 5_000_000", .patience),
    Allowance(
      "LMDB/Files/DataFile.swift", "0x9E37_79B9_7F4A_7C15 0xFF 0xFFF 12 16 32 5 61 62", .code),
    Allowance("LMDB/C/FileCalls.swift", "36 37", .code),
    Allowance("LMDB/C/FileCalls.swift", "256", .bound),
    Allowance("LMDB/Files/LockFile.swift", "5_000_000", .patience),
    // The commits of a new file, and of a compacted copy, which has one.
    Allowance("LMDB/Core/Writer.swift", "2", .format),
    // How many checkpoints may follow the pin.
    Allowance("LMDB/Journal/Journal.swift", "2", .patience),
    Allowance("LMDB/Journal/JournalMarker.swift", "0x314D_4C4A_464F_5243 24 28 512", .format),
    Allowance("LMDB/Journal/RedoRecord.swift", "11", .format),
    Allowance(
      "LMDB/Journal/JournalFile.swift",
      "0x3152_4C4A 16 2048 24 28 32 36 4096 512 62 8192", .format),
    Allowance("LMDB/Journal/JournalFile.swift", "1_000_000", .patience),
    Allowance("LMDB/Journal/JournalFile.swift", "20", .bound),
    // Nearly a second after the last commit: the clock is precise to a few milliseconds.
    Allowance("LMDB/Core/EnvironmentCore+Journal.swift", "990_000_000", .patience),
    Allowance("LMDB/Journal/CRC32C.swift", "0x82F6_3B78 256", .arithmetic),
    Allowance(
      "LMDB/Journal/Checkpoint.swift",
      "0x3148_4C4A_464F_5243 0x3152_4C4A_464F_5243 24 32", .format),
    Allowance("LMDB/Files/LockFile.swift", "64", .format),
    Allowance("LMDB/C/ProcessIdentity.swift", "16_384", .initialSize),
    Allowance(
      "LMDB/LMDBError.swift",
      "0x00 0x200E 0x2028 0x2066 0x61C 0x7F 16", .text),
    Allowance(
      "LMDB/C/Deadline.swift", "1_000_000_000 31 32 999_999_999", .arithmetic),
    Allowance(
      "LMDB/Scan/CommitPages.swift", "0x08 0xBEEF_C0DE 12 16 1_024 32_768 8", .format),
    Allowance("LMDB/Files/FileValidator.swift", "3", .patience),
    Allowance("LMDB/Core/ReaderPool.swift", "100", .patience),
    Allowance(
      "LMDB/Scan/PageTree.swift", "0x01 0x02 0x04 0xFFFF 0xFFFF_FFFF 16 32 48 8", .format),
    Allowance("LMDB/Files/PageCheck.swift", "64", .arithmetic),
    // How often a writer reads whether something else has written to the file.
    Allowance("LMDB/Files/SoundState.swift", "100", .patience),
    Allowance("LMDB/Scan/PageTree.swift", "0x08 0x7E 32", .format),
    Allowance("LMDB/Scan/KeyComparison.swift", "8", .arithmetic),
    Allowance("LMDB/Files/FileValidator.swift", "0x01 0x02 0x20 2 32", .format),
    Allowance("LMDB/Files/TemporaryFile.swift", "16 8", .arithmetic),
    // What is hashed, of which a part is a fingerprint.
    Allowance(
      "Croft/Schema/Stored/DataVersion.swift",
      "0xA000 0xE0000 0xF900 16 2_208_988_800 2_400 2_629_746 4_102_444_800.0 64 7_200", .format),
    Allowance("Croft/Schema/Stored/SchemaUpdate.swift", "16", .initialSize),
    Allowance("Croft/Schema/Stored/SchemaDiff+Fields.swift", "2 4", .text),
    Allowance("Croft/Schema/Schema.swift", "16", .arithmetic),
    Allowance(
      "Croft/Schema/Stored/StoreHeader.swift",
      "0x0100_0054_464F_5243 0xFFFF_FFFF 16 2 24 3 32 4 40 48", .format),
    Allowance("Croft/Tables/PendingEntries.swift", "1024", .initialSize),
    Allowance("Croft/Bytes/ByteList.swift", "256 8", .arithmetic),
    Allowance("Croft/KeyValue/Storage.swift", "0o700", .code),
    Allowance("Croft/KeyValue/JSONFileStorage.swift", "0o600", .code),
    Allowance("Croft/Store/TemporaryFolder.swift", "0o700", .code),
    Allowance("Croft/Store/StoreOpening.swift", "16 30", .option),
    Allowance(
      "Croft/KeyValue/JSONFileStorage.swift", "0x09 0x0A 0x0D 0x20 0xBB 0xBF 0xEF", .format),
    Allowance("Croft/Bytes/ByteBuffer.swift", "0xFF 16", .format),
    Allowance(
      "Croft/Bytes/Checksum.swift",
      "0x0000_0000_0100_0000_0000_0000_0000_013B 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d",
      .format),
    Allowance("Croft/Bytes/KeyCode.swift", "0xFF 12 18 19 2 200 25 511 63", .format),
    Allowance("Croft/Bytes/KeyCode.swift", "15", .text),
    Allowance("Croft/Bytes/ByteList.swift", "4096", .initialSize),
    Allowance("Croft/Bytes/ByteSet.swift", "1024 64", .initialSize),
    Allowance("Croft/Bytes/TextKey.swift", "0x80", .arithmetic),
    Allowance("Croft/Bytes/TextFolding.swift", "0x1AB0 0x1DC0 0x20D0 0x300 0x80 0xFE20", .format),
    // UTF-8, and what fits into an entry.
    Allowance(
      "Croft/Bytes/TextFolding.swift",
      "0x07 0x0F 0x1F 0x20 0x3F 0x40 0x80 0xC2 0xCC 0xE0 0xE1 0xF0 0xF8 1024 12 2 3 32 4 8",
      .format),
    Allowance(
      "Croft/Bytes/TextFolding.swift",
      "0x1000 0x1100 0x1161 0x11A8 0x300 0x30000 0xAC00 16 21 24 28 56 64", .format),
    Allowance(
      "Croft/Bytes/TextFolding.swift",
      "0x0101_0101_0101_0101 0x41 0x5B 0x7F 0x8080_8080_8080_8080", .arithmetic),
    Allowance("Croft/Bytes/ByteBuffer.swift", "0x80 0x8080_8080_8080_8080", .arithmetic),
    Allowance("Croft/Values/Storable+Duration.swift", "500_000_000 1_000_000_000 1e9", .arithmetic),
    Allowance("Croft/Queries/Language/UnitCalendar.swift", "60", .arithmetic),
    Allowance("Croft/Live/Changes/EventLoop.swift", "4", .patience),
    // How many objects a cursor decodes at a time; its test has sizes on both sides.
    Allowance("Croft/Transactions/ResultCursor.swift", "64", .initialSize),
    // How many objects a comparison reads at a time; its test has more of them, and fewer.
    Allowance("Croft/Transactions/ReadTransaction+Differences.swift", "20 256", .initialSize),
    Allowance("Croft/Live/API/LoggedCommit.swift", "100", .option),
    Allowance("Croft/Queries/Executor/ExactSum.swift", "32 68 1024 1074", .arithmetic),
    Allowance("Croft/Live/Changes/ChangeCapture.swift", "16", .format),
    Allowance("Croft/Live/Changes/ChangeCapture.swift", "256", .initialSize),
    Allowance("Croft/Live/Changes/LogCapture.swift", "256", .initialSize),
    Allowance("Croft/Replication/ReplicationCapture.swift", "256", .initialSize),
    Allowance("Croft/Replication/ReplicaClock.swift", "16 1_000", .format),
    Allowance("Croft/Live/Matching/ObserverIndex.swift", "1_000 1_000_000", .choiceOfPlan),
    Allowance("Croft/Live/Rows/StoredRow.swift", "256", .initialSize),
    Allowance("Croft/Live/Changes/CommitLog.swift", "56", .format),
    Allowance("Croft/Live/Changes/CommitWatcher.swift", "1_000_000_000", .arithmetic),
    Allowance("Croft/Live/Changes/CommitWatcher.swift", "4096", .initialSize),
    Allowance("Croft/Live/Changes/CommitLog.swift", "2 4", .format),
    Allowance("Croft/Live/Diff/ResultDiff.swift", "2", .arithmetic),
    Allowance("Croft/Bytes/ByteBuffer.swift", "64 8", .initialSize),
    Allowance("Croft/Schema/Stored/Migration.swift", "16", .initialSize),
    Allowance("Croft/Schema/Stored/Migration.swift", "4", .format),
    Allowance("Croft/Store/CompactionRule.swift", "0.5 20 64", .option),
    Allowance("Croft/Queries/Language/QueryCondition.swift", "4 80", .bound),
    Allowance("Croft/Queries/Language/ColumnExpression.swift", "40", .bound),
    Allowance(
      "Croft/Queries/Executor/ExpressionReader.swift", "0.001 172_800 172_800.0 43_200",
      .arithmetic),
    Allowance("Croft/Queries/Executor/ReferenceLookup.swift", "16", .format),
    Allowance(
      "Croft/Queries/Executor/TextMatcher.swift",
      "0x20 0x41 0x5A 0x80", .arithmetic),
    Allowance("Croft/Queries/Planner/CandidateBounds.swift", "18", .format),
    // The bits of a word: a conjunct behind them is tested on the rows, as by another plan.
    Allowance("Croft/Queries/Planner/CandidateBounds.swift", "64", .choiceOfPlan),
    Allowance("Croft/Queries/Executor/IndexWalker.swift", "0xFF 16 17 18", .format),
    Allowance("Croft/Queries/Executor/QueryRun.swift", "64", .initialSize),
    Allowance("Croft/Queries/Planner/Plan.swift", "0.0", .choiceOfPlan),
    Allowance("Croft/Queries/Planner/PlanCost.swift", "0.0 0.01 0.4 1.0 2.0 4.0", .choiceOfPlan),
    Allowance("Croft/Queries/Planner/PlanCost.swift", "1.25 7.0 16.0 30.0 64 256.0", .choiceOfPlan),
    Allowance("Croft/Queries/Planner/PlanCost.swift", "1_024.0", .choiceOfPlan),
    Allowance("Croft/Queries/Planner/QueryExplanation.swift", "40 8", .text),
    Allowance("Croft/Queries/Executor/QueryRun+Sorter.swift", "4096", .initialSize),
    // A test sorts more rows than are compared between two checks.
    Allowance("Croft/Queries/Executor/QueryRun+Sorter.swift", "65_536", .patience),
    Allowance("Croft/Queries/Language/TextPattern.swift", "0x80", .arithmetic),
    Allowance(
      "Croft/Bytes/Checksum.swift",
      "0x8EBC_6AF0_9C88_C6E3 0xA076_1D64_78BD_642F 0xE703_7ED1_A0B4_28DB 16 32 4 40 8", .format),
    Allowance("Croft/Records/CollectionView.swift", "4", .format),
    Allowance("Croft/Records/RecordEncoder.swift", "256", .initialSize),
    Allowance("Croft/Records/RecordLayout.swift", "16", .initialSize),
    Allowance("Croft/Records/FieldValue.swift", "16", .initialSize),
    Allowance("Croft/Records/RecordEncoder.swift", "0xFFFF 4", .format),
    Allowance("Croft/Records/RecordLayout.swift", "0x52 16 2 4", .format),
    Allowance("Croft/Records/RecordTranscoder.swift", "0xFFFF", .format),
    Allowance("Croft/Records/RecordLayout.swift", "4", .format),
    Allowance("Croft/Records/RecordTranscoder.swift", "0x80 0xFF", .format),
    Allowance("Croft/Store/Store.swift", "10 1024 16 30 46 512 60 64", .option),
    Allowance("Croft/Store/Verification.swift", "100", .option),
    Allowance("Croft/Tables/PendingRows.swift", "1024", .initialSize),
    Allowance("Croft/Transactions/WriteTransaction.swift", "256", .initialSize),
    Allowance(
      "Croft/Values/Decimal.swift", "0x2000 0x30 0x8000 0xFF 0xFFFF 10 100 127 13 2 42",
      .format),
    Allowance("Croft/Values/CompoundKey.swift", "15 16", .format),
    Allowance("Croft/Values/Storable+Collections.swift", "16", .initialSize),
    Allowance("Croft/Values/Storable+Standard.swift", "31 63", .format),
    Allowance("Croft/Values/StorageType.swift", "16", .format),
    Allowance("Croft/Bytes/ByteNeedle.swift", "0x80 0xC0", .format),
    Allowance("Croft/Bytes/Hangul.swift", "0x3131 0x314F 0xAC00 588", .format),
    Allowance(
      "Croft/Search/SearchFolding.swift",
      "0x00AD 0x061C 0x0640 0x1100 0x1161 0x11A8 0x180B 0x180F 0x1F3FB 0x200C 0x202A 0x2060 0x2066 "
        + "0x30 0x3131 0x314F 0x3155 0x315B 0x3161 0x3164 0x41 0x61 0xE0100 0xFE00 0xFEFF 0xFF10 "
        + "0xFF21 0xFF41 0xFF66 0xFFA0 0xFFA1 0xFFC2 0xFFCA 0xFFD2 0xFFDA", .format),
    // How often the program may end a check.
    Allowance("Croft/FullText/TextIndex+Verification.swift", "256", .patience),
    // Lengths of parts of keys, of integers and of groups.
    Allowance("Croft/FullText/TextIndexHead.swift", "2", .format),
    Allowance("Croft/FullText/TermBlock.swift", "128", .format),
    Allowance("Croft/FullText/TextIndexKey.swift", "4 5 32 4096", .format),
    Allowance("Croft/FullText/PendingPostings.swift", "4", .format),
    Allowance("Croft/FullText/PendingPostings.swift", "1024", .initialSize),
    Allowance("Croft/FullText/PostingBlock.swift", "10", .format),
    Allowance("Croft/FullText/VariableReader.swift", "0x7F 0x80 35", .format),
    Allowance("Croft/FullText/WaitingRows.swift", "32", .format),
    // What a page has for an entry.
    Allowance("Croft/FullText/PostingWriter.swift", "10 2 9", .arithmetic),
    // Quarters of an octave.
    Allowance(
      "Croft/FullText/TextLength.swift",
      "1.090_507_732_665_257_7 1.296_839_554_651_009_6 1.542_210_825_407_940_7 "
        + "1.834_008_086_409_342_5 1.189_207_115_002_721 1.414_213_562_373_095_1 "
        + "1.681_792_830_507_429", .format),
    // How much of a step a byte of a text takes.
    Allowance("Croft/FullText/TextIndexWriter.swift", "2", .arithmetic),
    Allowance("Croft/FullText/TextIndexWriter.swift", "256", .initialSize),
    // The constants of the formula, and how far lengths count.
    Allowance(
      "Croft/Relevance/RelevanceLaw.swift", "32 40 64 192 307 4_096 65_536", .format),
    Allowance("Croft/Relevance/RankedRows.swift", "16", .choiceOfPlan),
    Allowance("Croft/Relevance/RankedRows.swift", "64 1_024", .initialSize),
    // A pattern is looked for by its units after the needles, however many there are.
    Allowance("Croft/Search/SearchPattern.swift", "4", .choiceOfPlan),
    Allowance("Croft/Search/SearchPattern.swift", "0x80 0xC0", .format),
    Allowance("Croft/Search/SearchUnits.swift", "64", .bound),
    Allowance(
      "Croft/Search/SyllablePattern.swift", "0x0F 0x3F 0x40 0x80 0xE0 0xE1 0xF0 12 3", .format),
    Allowance("Croft/Search/SearchUnits.swift", "0x3F 0x80 0xE0 0xF0", .format),
    Allowance("Croft/Search/TextSearch.swift", "64", .bound),
    Allowance("Croft/Search/UnitClass.swift", "0x110000 0xFF 256", .format),
    Allowance("Croft/Values/Storable+Foundation.swift", "63_113_904_000 252_423_993_600", .text),
    Allowance("Croft/Store/StoreStatistics.swift", "1e9 1e6 1e3 10", .text),
    Allowance("Croft/Values/UUID+TimeOrdered.swift", "0b10 0x7000 1000 12 16 32 62", .format),
  ]

  /// Files that hold nothing but codes, or the thresholds themselves.
  private static let passedOver = [
    "LMDB/Testing/Threshold.swift", "Croft/Testing/Threshold.swift",
    "LMDB/LMDBError.swift", "LMDB/Files/FileSystem.swift", "Croft/Bytes/StableScalars.swift",
    "Croft/Search/UnitRanges.swift",
  ]

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources/LMDB", "Sources/Croft").flatMap { file -> [Finding] in
      let path = String(file.path.dropFirst("Sources/".count))
      if Self.passedOver.contains(path) { return [] }
      let allowed = Set(Self.allowed.filter { $0.path == path }.flatMap(\.numbers))
      let found = file.code.map(Self.numbers(in:))
      let unused = allowed.subtracting(found.joined()).sorted().map { number in
        Finding(
          path: file.path, line: 0,
          remedy: "take \(number) out of ThresholdRule: the file has it no more")
      }
      return found.enumerated().flatMap { index, numbers in
        numbers.filter { !allowed.contains($0) }.map { number in
          Finding(
            path: file.path, line: index + 1,
            remedy: "make \(number) a case of Threshold, or allow it in ThresholdRule with a reason"
          )
        }
      } + unused
    }
  }

  /// The numbers of a line of code that may be thresholds.
  private static func numbers(in line: String) -> [String] {
    let bytes = Array(line.utf8)
    var numbers: [String] = []
    var start = 0
    while start < bytes.count {
      guard isDigit(bytes[start]), start == 0 || !isWord(bytes[start - 1]) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < bytes.count, isWord(bytes[end]) || isPoint(bytes, at: end) { end += 1 }
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      let before = line.utf8.prefix(start).split(separator: UInt8(ascii: " ")).suffix(6)
        .map { String(decoding: $0, as: UTF8.self) }
      // `$0` and `.0` are names.
      let isName = start > 0 && [UInt8(ascii: "$"), UInt8(ascii: ".")].contains(bytes[start - 1])
      if !isName, isThreshold(text, behind: before) { numbers.append(text) }
      start = end
    }
    return numbers
  }

  private static func isThreshold(_ text: String, behind before: [String]) -> Bool {
    if text.contains(".") || text.hasPrefix("0x") || text.hasPrefix("0b") || text.hasPrefix("0o") {
      return true
    }
    guard let value = Int(text.filter { $0 != "_" }) else { return true }
    let isCompared = before.last.map { ["<", "<=", ">", ">="].contains($0) } ?? false
    let isNamed = before.last == "=" && before.contains { $0 == "let" || $0 == "var" }
    return value >= 10 || value >= 2 && (isCompared || isNamed)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Whether a byte is the point of a number.
  private static func isPoint(_ bytes: [UInt8], at place: Int) -> Bool {
    bytes[place] == UInt8(ascii: ".") && place + 1 < bytes.count && isDigit(bytes[place + 1])
  }
}
