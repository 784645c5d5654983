import Testing

/// A small made-up project that shows what a rule refuses or lets pass.
struct Specimen: Sendable, CustomTestStringConvertible {
  let rule: any Rule
  let files: [String: String]
  /// The places the rule finds, in order; none when the specimen keeps the rule.
  let places: [String]

  init(_ rule: any Rule, _ files: [String: String], finds places: String...) {
    self.rule = rule
    self.files = files
    self.places = places
  }

  var testDescription: String { "\(rule.name): \(files.keys.sorted().joined(separator: ", "))" }

  static let all =
    imports + calls + words + houseWords + names + reasons + documentation + prose + tree
}
