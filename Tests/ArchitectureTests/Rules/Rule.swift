import Testing

/// A claim about the source tree that a machine can check.
///
/// Each rule stands in `Rules.all` and has specimens, at least one that breaks it:
/// a rule that cannot fail is no rule.
protocol Rule: Sendable, CustomTestStringConvertible {
  /// The places that break the rule.
  func findings(in project: Project) -> [Finding]
}

extension Rule {
  var name: String { String(describing: Self.self) }
  var testDescription: String { name }
}

/// The rules that hold for every commit.
enum Rules {
  static let all: [any Rule] = [
    ImportRule(),
    CCallRule(),
    FileCallRule(),
    StoreAccessRule(),
    WordRule(),
    HouseWordRule(),
    ProseRule(),
    ParticleRule(),
    NameRule(),
    FileNameRule(),
    ExtensionPlaceRule(),
    ReasonRule(),
    SafetyRule(),
    DocumentationRule(),
    CatalogRule(),
    ModuleMapRule(),
    OperatorTestRule(),
    FileSizeRule(),
    TopLevelRule(),
    PathRule(),
    SnippetRule(),
    ArticleIndexRule(),
    ForeignPlaceRule(),
    DependencyRule(),
    PromiseRule(),
    RequirementRule(),
    ErrorPageRule(),
    ThresholdRule(),
    PublicAPIRule(),
  ]
}
