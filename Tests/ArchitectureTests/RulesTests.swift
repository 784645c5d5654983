import Foundation
import Testing

@Suite("Rules")
struct RulesTests {
  @Test(arguments: Rules.all)
  func holdsInThisProject(rule: any Rule) throws {
    for finding in rule.findings(in: try Project.current.get()) {
      Issue.record("\(finding)")
    }
  }

  @Test(arguments: Specimen.all)
  func findsWhatIsWrongAndNothingElse(in specimen: Specimen) {
    let findings = specimen.rule.findings(in: Project(specimen.files))
    #expect(findings.map(\.place) == specimen.places)
    #expect(findings.allSatisfy { !$0.remedy.isEmpty })
  }

  @Test(arguments: Rules.all)
  func canFail(rule: any Rule) {
    let breaking = Specimen.all.filter { $0.rule.name == rule.name && !$0.places.isEmpty }
    #expect(!breaking.isEmpty, "\(rule.name) has no specimen that breaks it")
  }

  /// For readers of the run: an open requirement is no failure, and no secret.
  @Test func theOpenRequirementsArePrinted() throws {
    let project = try Project.current.get()
    let rows = RequirementRule.rows(of: try #require(project.file(RequirementRule.page)))
    let open = RequirementRule.open(in: project)
    print("\(rows.count) requirements, \(open.count) open:")
    for row in open { print("open: \(row)") }
    #expect(rows.count == RequirementRule().counts.values.reduce(0, +))
  }

  /// `CROFT_REWRITE_GOLDEN=1` writes the page, for reading the difference.
  @Test func thePageOfThePublicTypesIsWritten() throws {
    let page = PublicAPIRule.page(of: try Project.current.get())
    #expect(page.contains("| `Store.Options` | struct |"))
    guard ProcessInfo.processInfo.environment["CROFT_REWRITE_GOLDEN"] != nil else { return }
    try page.write(
      to: Project.root.appending(path: PublicAPIRule.path), atomically: true, encoding: .utf8)
  }

  @Test func onlyTheRepositoryOfTodoKitKnowsTheStore() throws {
    let project = try Project.current.get()
    let rules: [any Rule] = [StoreAccessRule(), ImportRule()]
    for rule in rules {
      #expect(Rules.all.contains { $0.name == rule.name })
      #expect(rule.findings(in: project).isEmpty)
    }
    // A rule that looks at nothing finds nothing.
    #expect(project.files.contains { $0.path.hasPrefix("Sources/TodoKit/Repository/") })
  }

  @Test(arguments: [
    ("Package.resolved", true), ("x.croft", true), (".build-test", true), ("Package.swift", false),
    ("notes", false),
  ])
  func whatGitIgnoresIsNoPartOfTheProject(name: String, isIgnored: Bool) {
    let patterns: [Substring] = ["Package.resolved", "*.croft", ".build*", ".swiftpm/"]
    #expect(patterns.contains { Project.matches(name, pattern: $0) } == isIgnored)
  }

  @Test func thisProjectIsRead() throws {
    let project = try Project.current.get()
    #expect(project.file("Package.swift") != nil)
    #expect(project.modules.contains("LMDB"))
    #expect(project.files.contains { $0.path.hasSuffix("/RulesTests.swift") })
  }
}
