/// Korean texts have the particle that the last sound asks for, and not both forms.
///
/// `KoreanParticle` chooses the form, and gives both only after a text whose sound it cannot know.
struct ParticleRule: Rule {
  private static let definition = "Sources/TodoFormats/KoreanParticle.swift"
  private static let pairs = [
    "은(는)", "는(은)", "이(가)", "가(이)", "을(를)", "를(을)", "와(과)", "과(와)", "(으)로", "(이)라",
  ]

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources", "Web").filter { $0.path != ParticleRule.definition }
      .flatMap { file in
        file.lines.enumerated().flatMap { index, line in
          ParticleRule.pairs.filter { line.contains($0) }.map { pair in
            Finding(
              path: file.path, line: index + 1,
              remedy: "write `with(_:)` of `KoreanParticle`, not '\(pair)'")
          }
        }
      }
  }
}
