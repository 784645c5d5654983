/// A fault in a model's declaration, because of which no store can have the model.
struct ModelMistake: Error {
  /// The fault and what to write instead, as a part of a sentence about the model.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
