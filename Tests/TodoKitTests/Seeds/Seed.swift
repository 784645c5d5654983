/// One requirement of the four apps that this system must be able to carry.
struct Seed: Sendable {
  /// What shows that a requirement is met.
  enum Proof: Sendable {
    /// The functions of the tests that show it.
    case tests([String])
    /// Nothing in the library: it is about drawing, or about another front end.
    case none
  }

  let id: String
  /// The requirement in a few words.
  let text: String
  let proof: Proof

  init(_ id: String, _ text: String, _ tests: String...) {
    self.init(id: id, text: text, proof: .tests(tests))
  }

  private init(id: String, text: String, proof: Proof) {
    self.id = id
    self.text = text
    self.proof = proof
  }

  /// A requirement that asks nothing of the library.
  static func none(_ id: String, _ text: String) -> Seed {
    Seed(id: id, text: text, proof: .none)
  }
}
