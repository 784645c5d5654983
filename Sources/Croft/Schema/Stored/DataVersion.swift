import CroftFoundation
internal import LMDB
import Synchronization

/// The Unicode and time zone data with which the entries of an index column were computed.
///
/// `lowercased()`, `count` or the beginning of a day may give another value with another version of the
/// data. An index that was built with other data than the program has is built again, as PostgreSQL
/// asks for after a change of a collation's version.
struct DataVersion: Codable, Equatable, Sendable {
  /// A hash of what the functions give for fixed arguments.
  private(set) var fingerprint: String
  /// The runtimes that were found to give it, the last one last.
  private(set) var runtimes: [String]

  /// The version that this process has for some functions.
  init(of functions: Set<ColumnExpression.DataFunction>) {
    fingerprint = Self.fingerprint(of: functions)
    runtimes = Self.runtime.map { [$0] } ?? []
  }

  /// Whether the entries are those that this process would compute.
  ///
  /// A runtime that is listed is not compared again.
  ///
  /// - Complexity: O(1) for a listed runtime; otherwise some milliseconds, once in a process.
  func isCurrent(for functions: Set<ColumnExpression.DataFunction>) -> Bool {
    if let runtime = Self.runtime, runtimes.contains(runtime) { return true }
    return fingerprint == Self.fingerprint(of: functions)
  }

  /// Lists this process's runtime, which was found to be current.
  mutating func noteRuntime() {
    guard let runtime = Self.runtime, !runtimes.contains(runtime) else { return }
    runtimes = Array(
      ([runtime] + runtimes.reversed()).prefix(Threshold.runtimesPerDataVersion.value).reversed())
  }

  /// This process's runtime, with the rules of Croft itself; nil where the system does not tell.
  ///
  /// Croft changes without its runtime, where that is a library.
  private static let runtime = RuntimeIdentity.text().map { text in
    hash { add in
      add(text)
      add(ColumnExpression.DataFunction.rules)
    }
  }

  /// The results of ``results(of:)``, which do not change while a process runs.
  private static let known = Mutex<[ColumnExpression.DataFunction: String]>([:])

  private static func fingerprint(of functions: Set<ColumnExpression.DataFunction>) -> String {
    let results = functions.map { function in
      if let result = known.withLock({ $0[function] }) { return result }
      let result = hash { function.giveResults(to: $0) }
      known.withLock { $0[function] = result }
      return result
    }
    return results.count == 1 ? results[0] : hash { add in results.sorted().forEach(add) }
  }

  /// 64 bits of a hash of texts, in hexadecimal digits.
  private static func hash(_ body: ((String) -> Void) -> Void) -> String {
    var bytes: [UInt8] = []
    body { text in
      bytes += Array(text.utf8)
      bytes.append(0)
    }
    // Safety: the bytes do not change during the call.
    let hash = unsafe bytes.withUnsafeBytes { unsafe Checksum.FNV1a.hash($0) }
    return String(UInt64(truncatingIfNeeded: hash ^ hash >> 64), radix: 16)
  }
}

extension ColumnExpression {
  /// A function whose values depend on data that comes with the runtime.
  enum DataFunction: Hashable, Sendable {
    /// Upper and lower case, and the folding of case.
    case textCase
    /// Where a character ends.
    case characters
    /// The terms of texts in an index for searches: how they are folded and divided.
    case searchTerms
    case start(Calendar.Component, UnitCalendar)
    case component(Calendar.Component, UnitCalendar)
  }

  /// The functions in the expression whose values depend on data that comes with the runtime.
  var dataFunctions: Set<DataFunction> {
    Set(
      collect { part in
        switch part {
        case .text(_, .count): .characters
        case .text: .textCase
        case .start(_, let unit, let calendar): .start(unit, calendar)
        case .component(_, let unit, let calendar): .component(unit, calendar)
        case .column, .constant, .arithmetic, .coalesced, .tooDeep: nil
        }
      })
  }
}

extension ColumnExpression.DataFunction {
  /// The numbers of Croft's own rules for searches, and of the form of their index.
  fileprivate static let rules = "rules \(UnitRanges.rules), form \(TextIndexHead.form)"

  /// Gives what the function makes of fixed arguments, those that a version of the data can change.
  fileprivate func giveResults(to add: (String) -> Void) {
    switch self {
    case .textCase:
      for scalar in Self.scalars {
        let properties = scalar.properties
        add(properties.lowercaseMapping + properties.uppercaseMapping)
      }
    case .characters:
      // A mark joins the letter before it, a joiner joins symbols, a virama Indic letters.
      for scalar in Self.scalars {
        let text = "a\(scalar)\u{200D}\(scalar)\u{915}\u{94D}\(scalar)"
        add("\(text.count)")
      }
    case .searchTerms:
      add(Self.rules)
      for scalar in Self.scalars { add(TextFolding.folded("a\(scalar)", .forSearch)) }
    case .start(let unit, let units):
      let calendar = units.calendar
      let starts = ColumnExpression.UnitStarts(unit, calendar)
      for date in Self.dates(calendar.timeZone) {
        add("\(starts.start(of: date.timeIntervalSinceReferenceDate) ?? 0)")
      }
    case .component(let unit, let units):
      let calendar = units.calendar
      for date in Self.dates(calendar.timeZone) { add("\(calendar.component(unit, from: date))") }
    }
  }

  /// All scalars of the first two planes but ideographs, syllables of Hangul and those for private use,
  /// which have neither case nor marks.
  private static var scalars: some Sequence<Unicode.Scalar> {
    [0...0x33FF, 0xA000...0xABFF, 0xF900...0x1FFFF, 0xE0000...0xE01EF]
      .lazy.joined().compactMap { Unicode.Scalar(UInt32($0)) }
  }

  /// Midnight of about each month from 1900 to 2100, and the moments around changes of a time zone.
  private static func dates(_ zone: TimeZone) -> [Date] {
    let (first, last) = (Date(timeIntervalSince1970: -2_208_988_800), 4_102_444_800.0)
    var dates = (0..<2_400).map { first + Double($0) * 2_629_746 }
    var change = zone.nextDaylightSavingTimeTransition(after: first)
    while let date = change, date.timeIntervalSince1970 < last {
      dates += [date - 1, date, date + 7_200]
      let next = zone.nextDaylightSavingTimeTransition(after: date)
      change = next.flatMap { $0 > date ? $0 : nil }
    }
    return dates
  }
}
