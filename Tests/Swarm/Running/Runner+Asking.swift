import Croft

// Questions, asked through every plan and in every form, and answered by the twin.

extension Runner {
  func ask<T: ReadableTransaction & ~Copyable>(
    _ question: Question, in transaction: inout T
  ) throws {
    let shape = models.shape(question.model)
    if question.isByRelevance { return try askByRelevance(question, shape, in: &transaction) }
    let expected = twin.rows(of: question)
    let keys = expected.map(\.key)
    var place = 0
    var plans = 1
    while place < plans {
      plans = try force(place, &transaction) { transaction in
        guard let found = try shape.keys(question, in: &transaction, models) else { return }
        guard isSame(found, keys) else {
          throw Failure(
            "\(question) by plan \(place) gives \(Self.text(found)), not \(Self.text(keys))")
        }
        let count = try shape.count(question, in: &transaction, models)
        if count != keys.count {
          throw Failure("\(question) by plan \(place) counts \(count), not \(keys.count)")
        }
        try askMore(question, shape, expected, in: &transaction)
      }
      counts.plans += 1
      place += 1
    }
    counts.queries += 1
    turn += 1
  }

  /// Asks for the most relevant objects: those of the twin, in the same order by all plans.
  private func askByRelevance<T: ReadableTransaction & ~Copyable>(
    _ question: Question, _ shape: any Shape, in transaction: inout T
  ) throws {
    var whole = question
    (whole.limit, whole.offset) = (nil, 0)
    let expected = Set(twin.keys(of: whole).map(\.identity))
    var ranked: [Value]?
    for asked in [whole, question] {
      var (place, plans) = (0, 1)
      while place < plans {
        plans = try force(place, &transaction) { transaction in
          guard let found = try shape.keys(asked, in: &transaction, models) else { return }
          let count = try shape.count(asked, in: &transaction, models)
          if count != found.count {
            throw Failure("\(asked) by plan \(place) counts \(count), not \(found.count)")
          }
          if ranked == nil {
            guard found.count == expected.count, Set(found.map(\.identity)) == expected else {
              throw Failure(
                "\(asked) by plan \(place) gives \(Self.text(found)), not \(expected.count) others")
            }
            ranked = found
          }
          let rest = (ranked ?? []).dropFirst(asked.offset)
          let keys = Array(asked.limit.map { rest.prefix($0) } ?? rest)
          guard isSame(found, keys) else {
            throw Failure(
              "\(asked) by plan \(place) gives \(Self.text(found)), not \(Self.text(keys))")
          }
        }
        counts.plans += 1
        place += 1
      }
    }
    counts.queries += 1
    turn += 1
  }

  /// The rows that a question gives; the store says how relevant they are.
  func expectedRows(of question: Question) throws -> [(key: Value, row: Fields)] {
    guard question.isByRelevance else { return twin.rows(of: question) }
    let keys = try opened().read { transaction in
      try models.shape(question.model).keys(question, in: &transaction, models)
    }
    return (keys ?? []).compactMap { key in
      twin.row(question.model, key).map { (key, $0) }
    }
  }

  private func force<T: ReadableTransaction & ~Copyable>(
    _ place: Int, _ transaction: inout T, _ body: (inout T) throws -> Void
  ) throws -> Int {
    try Hooks.force(place, &transaction, body)
  }

  private func isSame(_ left: [Value], _ right: [Value]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
  }

  private static func text(_ keys: [Value]) -> String {
    "\(keys.count) \(keys.prefix(8))"
  }

  private func askMore<T: ReadableTransaction & ~Copyable>(
    _ question: Question, _ shape: any Shape, _ expected: [(key: Value, row: Fields)],
    in transaction: inout T
  ) throws {
    let first = try shape.first(question, in: &transaction, models)
    if !(first ?? .null).isSame(as: expected.first?.key ?? .null) {
      throw Failure("the first of \(question) is \(first ?? .null)")
    }
    if question.distinct.isEmpty, question.limit == nil, question.offset == 0 {
      let keys = expected.map(\.key)
      let found = try shape.pages(
        question, of: 1 + keys.count / (1 + turn % 4), in: &transaction, models)
      guard isSame(found, keys) else {
        throw Failure("the pages of \(question) give \(Self.text(found)), not \(Self.text(keys))")
      }
    }
    let infos = shape.stored.filter { info in
      switch info.kind.unwrapped {
      case .parts: return shape.key.contains(info.name)
      case .coded, .structure: return false
      default: return info.kind.element == nil
      }
    }
    let info = infos[turn % infos.count]
    switch turn % 3 {
    case 0: try askMeasures(info, question, shape, expected, in: &transaction)
    case 1: try askGroups(info, question, shape, expected, in: &transaction)
    default: try askSections(info, question, shape, in: &transaction)
    }
    if let entry = expected.last {
      let row = try shape.get(entry.key, in: &transaction)
      if row == nil { throw Failure(.lost, "\(shape.name) \(entry.key) is not found by its key") }
    }
  }

  private func askMeasures<T: ReadableTransaction & ~Copyable>(
    _ info: FieldInfo, _ question: Question, _ shape: any Shape,
    _ expected: [(key: Value, row: Fields)], in transaction: inout T
  ) throws {
    let values = expected.map { $0.row[info.name] ?? .null }
    // What is lost by adding numbers in another order grows with their magnitudes, not with the sum.
    let magnitude = values.reduce(0.0) { sum, value in
      if case .real(let number) = value, !number.isNaN { sum + abs(number) } else { sum }
    }
    for measure in [Measure.min, .max, .sum, .average] {
      let wanted = Twin.measured(measure, values, info.kind.unwrapped, isClamped: false)
      let found: Value?
      do {
        found = try shape.measure(
          measure, of: info.name, question, in: &transaction, models)
        if found == nil { continue }
      } catch StoreError.overflow {
        found = nil
      }
      guard let found, let wanted else {
        if found == nil, wanted == nil { continue }
        throw Failure("\(measure) of \(info.name) of \(question): one of both overflows")
      }
      let isSum = [.sum, .average].contains(measure)
      if !found.isAbout(wanted, addedUpFrom: isSum ? magnitude : 0) {
        throw Failure("\(measure) of \(info.name) of \(question) is \(found), not \(wanted)")
      }
    }
  }

  private func askGroups<T: ReadableTransaction & ~Copyable>(
    _ info: FieldInfo, _ question: Question, _ shape: any Shape,
    _ expected: [(key: Value, row: Fields)], in transaction: inout T
  ) throws {
    guard let found = try shape.groups(by: info.name, question, in: &transaction, models) else {
      return
    }
    let values = expected.map { $0.row[info.name] ?? .null }.sorted { $0.order(to: $1) < 0 }
    let wanted = values.runs()
    let isSame =
      found.count == wanted.count
      && zip(found, wanted).allSatisfy { $0.0.isSame(as: $1.0) && $0.1 == $1.1 }
    if !isSame { throw Failure("groups of \(question) by \(info.name): \(found), not \(wanted)") }
  }

  private func askSections<T: ReadableTransaction & ~Copyable>(
    _ info: FieldInfo, _ question: Question, _ shape: any Shape, in transaction: inout T
  ) throws {
    let isDescending = turn % 2 == 0
    guard
      let found = try shape.sections(
        by: info.name, isDescending: isDescending, question, in: &transaction, models)
    else { return }
    var sorted = question
    sorted.order.insert(Sort(info.name, isDescending: isDescending), at: 0)
    let expected = twin.rows(of: sorted)
    let wanted = expected.map { $0.row[info.name] ?? .null }.runs()
    let isSame =
      found.count == wanted.count
      && zip(found, wanted).allSatisfy { $0.0.isSame(as: $1.0) && $0.1.count == $1.1 }
      && self.isSame(found.flatMap(\.1), expected.map(\.key))
    if !isSame { throw Failure("sections of \(question) by \(info.name): \(found), not \(wanted)") }
  }
}

extension [Value] {
  /// Neighbours that are the same, each once, with how many there are.
  fileprivate func runs() -> [(Value, Int)] {
    var runs: [(Value, Int)] = []
    for value in self {
      if let last = runs.last, last.0.isSame(as: value) {
        runs[runs.count - 1].1 += 1
      } else {
        runs.append((value, 1))
      }
    }
    return runs
  }
}

extension Value {
  /// Whether two values are the same, but for the order in which numbers were added.
  fileprivate func isAbout(_ other: Value, addedUpFrom magnitude: Double = 0) -> Bool {
    guard case .real(let left) = self, case .real(let right) = other,
      left.isFinite, right.isFinite
    else { return isSame(as: other) || isHuge && other.isHuge }
    if abs(left) > 1e290 || abs(right) > 1e290 { return true }
    return abs(left - right) <= 1e-9 * Swift.max(1, abs(left), abs(right), magnitude)
  }

  /// Whether sums of it depend on their order beyond all measure.
  private var isHuge: Bool {
    if case .real(let number) = self { abs(number) > 1e290 || number.isNaN } else { false }
  }
}
