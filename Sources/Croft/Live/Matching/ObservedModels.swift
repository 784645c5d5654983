/// What observers need to know of each model's changes, and how many of them do.
struct ObservedModels: Sendable {
  /// What one observer needs.
  struct Interest: Sendable {
    /// Models of which it needs rows, by their numbers.
    var rows: Set<Int> = []
    /// Models of which it needs to know that they changed.
    var keys: Set<Int> = []
    /// Whether it needs the rows of all models.
    var isOfAll = false
  }

  private var rows: [Int: Int] = [:]
  private var keys: [Int: Int] = [:]
  private var ofAll = 0

  /// Whether nobody needs anything.
  var isEmpty: Bool { rows.isEmpty && keys.isEmpty && ofAll == 0 }

  /// How much is needed of a model.
  func detail(of model: Int) -> ChangeJournal.Detail {
    if ofAll > 0 || rows[model] != nil { return .rows }
    return keys[model] == nil ? .nothing : .keys
  }

  mutating func add(_ interest: Interest) {
    for model in interest.rows { rows[model, default: 0] += 1 }
    for model in interest.keys { keys[model, default: 0] += 1 }
    if interest.isOfAll { ofAll += 1 }
  }

  mutating func remove(_ interest: Interest) {
    for model in interest.rows { rows[model] = rows[model].flatMap { $0 > 1 ? $0 - 1 : nil } }
    for model in interest.keys { keys[model] = keys[model].flatMap { $0 > 1 ? $0 - 1 : nil } }
    if interest.isOfAll { ofAll -= 1 }
  }
}
