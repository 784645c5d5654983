import Foundation
import Testing

/// Which test shows which requirement; the run prints the table.
@Suite("Seeds")
struct SeedTests {
  /// The functions under `@Test` of all test targets.
  private static let testNames: Result<Set<String>, any Error> = Result {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var names: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for part in text.components(separatedBy: "@Test").dropFirst() {
        // Attributes and arguments stand between the mark and its function.
        guard let start = part.firstRange(of: "func ") else { continue }
        names.insert(String(part[start.upperBound...].prefix { $0.isLetter || $0.isNumber }))
      }
    }
    return names
  }

  @Test func everyRequirementOfTheLibraryNamesTestsThatExist() throws {
    Self.printTable()
    let names = try Self.testNames.get()
    for seed in Seed.table {
      guard case .tests(let tests) = seed.proof else { continue }
      #expect(!tests.isEmpty, "\(seed.id) (\(seed.text)) names no test")
      for test in tests {
        #expect(names.contains(test), "\(seed.id) names a test that is not there: \(test)")
      }
    }
  }

  @Test func noRequirementIsMissingAndNoneStandsTwice() {
    let ids = Seed.table.map(\.id)
    #expect(Set(ids).count == ids.count)
    for (app, count) in Seed.counts {
      let found = ids.filter { $0.prefix { $0 != "-" && !($0.isNumber && app == "T") } == app }
      #expect(found.count == count, "\(app)")
    }
    #expect(ids.count == Seed.counts.values.reduce(0, +))
  }

  @Test func everyTrapHasATestOfItsNumber() {
    for seed in Seed.table where seed.id.hasPrefix("T") {
      guard case .tests(let tests) = seed.proof else {
        Issue.record("\(seed.id) names no test")
        continue
      }
      let number = seed.id.lowercased()
      #expect(
        tests.contains { $0.hasPrefix(number) && !$0.dropFirst(number.count).prefix(1).isDigits },
        "\(seed.id)")
    }
  }

  /// These are about drawing and gestures, or about other front ends.
  @Test func onlyTheseRequirementsAskNothingOfTheLibrary() {
    let without = Seed.table.filter { if case .none = $0.proof { true } else { false } }
    #expect(
      without.map(\.id) == [
        "S000-12", "S000-13", "S000-15", "S002-06", "S003-16", "S003-17", "S004-17",
      ])
  }

  /// For whoever reads the run; what has to hold of the table, the tests say.
  private static func printTable() {
    for seed in Seed.table {
      let proof =
        switch seed.proof {
        case .tests(let tests): tests.joined(separator: ", ")
        case .none: "-"
        }
      print("\(seed.id)\t\(seed.text)\t\(proof)")
    }
    print("\(Seed.table.count) requirements.")
  }
}

extension Substring {
  fileprivate var isDigits: Bool { !isEmpty && allSatisfy(\.isNumber) }
}
