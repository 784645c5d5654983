/// What one observer needs.
struct ObservedRegion: Sendable {
  /// Models of which it needs rows, by their numbers.
  var rows: Set<Int> = []
  /// Models of which it needs to know that they changed.
  var keys: Set<Int> = []
  /// Whether it needs the rows of all models.
  var isOfAll = false
}

/// What observers need to know of each model's changes, and how many of them do.
struct ObservedRegions: Sendable {
  private var rows: [Int: Int] = [:]
  private var keys: [Int: Int] = [:]
  private var ofAll = 0

  /// Whether nobody needs anything.
  var isEmpty: Bool { rows.isEmpty && keys.isEmpty && ofAll == 0 }

  /// How much is needed of a model.
  func detail(of model: Int) -> ChangeCapture.Detail {
    if ofAll > 0 || rows[model] != nil { return .rows }
    return keys[model] == nil ? .nothing : .keys
  }

  mutating func add(_ region: ObservedRegion) {
    for model in region.rows { rows[model, default: 0] += 1 }
    for model in region.keys { keys[model, default: 0] += 1 }
    if region.isOfAll { ofAll += 1 }
  }

  mutating func remove(_ region: ObservedRegion) {
    for model in region.rows { rows[model] = rows[model].flatMap { $0 > 1 ? $0 - 1 : nil } }
    for model in region.keys { keys[model] = keys[model].flatMap { $0 > 1 ? $0 - 1 : nil } }
    if region.isOfAll { ofAll -= 1 }
  }
}
