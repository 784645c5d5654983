import TestSupport

// Random questions, whose values are often some that objects have.

extension SeededGenerator {
  mutating func question(_ shape: any Shape, _ twin: Twin, forWriting: Bool = false) -> Question {
    let rows = twin.rows(shape.name)
    let sortable = shape.infos.filter { isSortable($0) }.map(\.name)
    var question = Question(shape.name)
    if !oneIn(8) { question.term = term(shape, twin, rows, depth: pick([0, 1, 1, 2, 3])) }
    if oneIn(40) { question.term = .constant(false) }
    if !shape.searched.isEmpty, !forWriting, oneIn(6) { rank(&question, shape, rows) }
    if question.isByRelevance {
      if oneIn(3), !sortable.isEmpty {
        question.order = [Sort(pick(sortable), isDescending: oneIn(2))]
      }
    } else if !oneIn(3), !sortable.isEmpty {
      question.order = (0..<1 + below(3)).map { _ in
        Sort(pick(sortable), isDescending: oneIn(2))
      }
    }
    if oneIn(6), !sortable.isEmpty, !forWriting, !question.isByRelevance {
      question.distinct = (0..<1 + below(2)).map { _ in pick(sortable) }
    }
    if oneIn(2) {
      question.limit = pick([0, 1, 2, 5, 30, 300])
      question.offset = oneIn(2) ? 0 : pick([0, 1, 3, 50])
    } else if oneIn(8) {
      question.offset = pick([1, 3, 50])
    }
    return question
  }

  /// A question to be observed, whose window ends near the last of what there is.
  mutating func window(_ shape: any Shape, _ twin: Twin) -> Question {
    var question = Question(shape.name)
    let rows = twin.rows(shape.name)
    if oneIn(3) { question.term = term(shape, twin, rows, depth: 0) }
    let sortable = shape.infos.filter { isSortable($0) }.map(\.name)
    if !shape.searched.isEmpty, oneIn(4) {
      rank(&question, shape, rows)
    } else if !oneIn(3), !sortable.isEmpty {
      question.order = (0..<1 + below(2)).map { _ in
        Sort(pick(sortable), isDescending: oneIn(2))
      }
    }
    if !oneIn(4) {
      question.limit = !oneIn(3) ? 1 + below(4) : max(1, rows.count - below(rows.count / 2 + 1))
    }
    if oneIn(3) { question.offset = below(4) }
    return question
  }

  /// Makes a question one for the most relevant objects: of a search alone, or beside what it has.
  private mutating func rank(
    _ question: inout Question, _ shape: any Shape, _ rows: [(key: Value, row: Fields)]
  ) {
    let drawn = Term.search(search(shape, rows))
    question.isByRelevance = true
    if case .constant = question.term {
      question.term = drawn
    } else {
      question.term =
        switch below(4) {
        case 0: .and([question.term, drawn])
        case 1: .or([drawn, question.term])
        default: drawn
        }
    }
  }

  private func isSortable(_ info: FieldInfo) -> Bool {
    info.kind.element == nil && info.calculation == nil && !isWhole(info)
  }

  /// Whether a property can only be read and written as a whole.
  private func isWhole(_ info: FieldInfo) -> Bool {
    switch info.kind.unwrapped {
    case .coded, .structure: true
    case .parts: info.kind.isOptional
    default: false
    }
  }

  mutating func term(
    _ shape: any Shape, _ twin: Twin, _ rows: [(key: Value, row: Fields)], depth: Int
  ) -> Term {
    if depth == 0 { return leaf(shape, twin, rows) }
    let terms = (0..<1 + below(3)).map { _ in term(shape, twin, rows, depth: depth - 1) }
    return switch below(6) {
    case 0: .not(terms[0])
    case 1, 2: .or(terms)
    default: .and(terms)
    }
  }

  private mutating func leaf(
    _ shape: any Shape, _ twin: Twin, _ rows: [(key: Value, row: Fields)]
  ) -> Term {
    if oneIn(7), let term = inverse(shape, twin) { return term }
    if !shape.searched.isEmpty, oneIn(4) { return .search(search(shape, rows)) }
    let infos = shape.infos.filter { info in
      switch info.kind {
      case .coded, .optional(.coded), .structure: false
      default: true
      }
    }
    let info = pick(infos)
    if oneIn(10) {
      let others = infos.filter { $0.type == info.type && $0.derived == nil }
      if info.derived == nil, info.kind.element == nil, !isWhole(info), let other = others.last {
        return .fields(
          info.name, pick(Comparison.allCases), oneIn(2) ? pick(others).name : other.name)
      }
    }
    let known = knownValue(info, shape, rows, twin)
    return .field(info.name, test(info.kind, known, twin, depth: 0))
  }

  private mutating func inverse(_ shape: any Shape, _ twin: Twin) -> Term? {
    var sources: [(any Shape, String)] = []
    for source in twin.models.shapes {
      for info in source.infos where info.kind.target == shape.name && info.derived == nil {
        sources.append((source, info.name))
      }
    }
    guard !sources.isEmpty else { return nil }
    let (source, field) = pick(sources)
    if oneIn(2) {
      return .referrerCount(source.name, by: field, pick(Comparison.allCases), below(4))
    }
    let rows = twin.rows(source.name)
    let plain = source.infos.filter {
      $0.kind.target == nil && $0.kind.element == nil && !isWhole($0)
    }
    guard let info = plain.isEmpty ? nil : pick(plain) else { return nil }
    let known = knownValue(info, source, rows, twin)
    return .referrers(
      source.name, by: field, pick(Quantity.allCases),
      .field(info.name, test(info.kind, known, twin, depth: 1)))
  }

  /// A value that an object has; often one with NaN, where there is one.
  ///
  /// Few are, and a condition must say of just those that they equal nothing.
  private mutating func knownValue(
    _ info: FieldInfo, _ shape: any Shape, _ rows: [(key: Value, row: Fields)], _ twin: Twin
  ) -> Value {
    if rows.isEmpty { return .null }
    if oneIn(4) {
      for entry in rows.prefix(300) {
        let value = twin.value(info.name, of: entry.row, shape)
        if value.hasNaN { return value }
      }
    }
    return twin.value(info.name, of: pick(rows).row, shape)
  }

  mutating func test(_ kind: Kind, _ known: Value, _ twin: Twin, depth: Int) -> FieldTest {
    if kind.isOptional, oneIn(6) { return .isNil }
    switch kind {
    case .optional(.parts), .optional(.structure): return .isNil
    default: break
    }
    func value(_ random: inout SeededGenerator) -> Value {
      if known != .null, !random.oneIn(4) { return known }
      return random.wanted(kind, twin)
    }
    if let element = kind.element {
      if kind.isOptional { return .isNil }
      let elements = Twin.elements(known, kind)
      let one = elements.isEmpty ? Value.null : pick(elements)
      switch below(6) {
      case 0: return .measure(.count, pick(Comparison.allCases), .int(Int64(below(5))))
      case 1 where element.unwrapped.target == nil && element.unwrapped != .bool:
        let measure = pick([Measure.min, .max])
        let wanted = one == .null ? self.wanted(element.unwrapped, twin) : one
        return .measure(measure, pick(Comparison.allCases), wanted)
      case 2 where element.unwrapped.isNumber:
        if oneIn(2) {
          return .measure(.average, pick(Comparison.allCases), .real(Double(below(9)) / 2 - 1))
        }
        let wanted: Value =
          element.unwrapped.isReal
          ? .real(Double(below(9)) / 2)
          : element.unwrapped.isUnsigned ? .uint(UInt64(below(9))) : .int(Int64(below(9)) - 3)
        return .measure(.sum, pick(Comparison.allCases), wanted)
      default:
        return .elements(pick(Quantity.allCases), test(element, one, twin, depth: depth))
      }
    }
    if let target = kind.target, depth < 2, oneIn(2) {
      let shape = twin.models.shape(target)
      let infos = shape.infos.filter { $0.kind.element == nil && $0.derived == nil && !isWhole($0) }
      let info = pick(infos)
      let others = infos.filter { $0.type == info.type }
      if case .reference = kind, others.count > 1, oneIn(2) {
        return .targets(info.name, pick(Comparison.allCases), pick(others).name)
      }
      let rows = twin.rows(target)
      let known = knownValue(info, shape, rows, twin)
      return .target(info.name, test(info.kind, known, twin, depth: depth + 1))
    }
    if kind.unwrapped == .text, oneIn(2) {
      guard case .text(let text) = known == .null ? self.value(of: .text, twin) : known else {
        return .isNil
      }
      return oneIn(3) ? .search(search(in: [text])) : pattern(like: text)
    }
    switch below(8) {
    case 0, 1: return .within((0..<below(6)).map { _ in value(&self) })
    case 2, 3: return .compare(oneIn(4) ? .notEqual : .equal, nonNull(value(&self), kind, twin))
    default:
      return .compare(
        pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), nonNull(value(&self), kind, twin))
    }
  }

  private mutating func nonNull(_ value: Value, _ kind: Kind, _ twin: Twin) -> Value {
    if value != .null || kind.isOptional && oneIn(3) { return value }
    return wanted(kind.unwrapped, twin)
  }

  /// A value to ask for: of a reference to a model without objects, one that leads nowhere.
  private mutating func wanted(_ kind: Kind, _ twin: Twin) -> Value {
    let value = value(of: kind, twin)
    guard value == .null, !kind.isOptional, let target = kind.target else { return value }
    return strayKey(of: target, twin)
  }

  /// A primary key that no object need have.
  mutating func strayKey(of model: String, _ twin: Twin) -> Value {
    let shape = twin.models.shape(model)
    let number = below(200)
    let values = shape.key.map { name -> Value in
      let kind = shape.info(name)?.kind ?? .bool
      guard case .reference(let target) = kind else { return key(number, kind, twin) }
      return strayKey(of: target, twin)
    }
    return values.count == 1 ? values[0] : .parts(values)
  }

  /// A search that finds some of the objects.
  private mutating func search(
    _ shape: any Shape, _ rows: [(key: Value, row: Fields)]
  ) -> Search {
    if rows.isEmpty { return search(in: ["red"]) }
    let row = pick(rows).row
    let texts = shape.searched.flatMap { name -> [String] in
      let value = row[name] ?? .null
      if case .text(let text) = value { return [text] }
      return Twin.elements(value, shape.info(name)?.kind ?? .bool).compactMap {
        if case .text(let text) = $0 { text } else { nil }
      }
    }
    return search(in: texts.isEmpty ? ["한"] : texts)
  }

  /// A search of one to four terms, most of which are parts of some texts.
  private mutating func search(in texts: [String]) -> Search {
    Search(
      (0..<1 + below(2)).map { _ in
        (0..<(oneIn(3) ? 2 : 1)).map { _ in
          let scalars = Array((oneIn(5) ? text() : pick(texts)).unicodeScalars.prefix(300))
          let start = oneIn(2) ? 0 : below(scalars.count)
          let length = oneIn(2) ? scalars.count : 1 + below(4)
          // A quotation mark would end the term.
          let quotes: [Unicode.Scalar] = ["\"", "\u{201C}", "\u{201D}"]
          let part = scalars[start...].prefix(length).filter { !quotes.contains($0) }
          var text = String.UnicodeScalarView()
          text.append(contentsOf: part)
          return Search.Term(String(text), isOpen: oneIn(4), isExcluded: oneIn(6))
        }
      })
  }

  /// A test that a part of a text often passes.
  private mutating func pattern(like text: String) -> FieldTest {
    let scalars = Array(text.unicodeScalars.prefix(300))
    let start = scalars.isEmpty ? 0 : oneIn(2) ? 0 : below(scalars.count)
    let count = oneIn(3) ? scalars.count - start : min(below(5), scalars.count - start)
    var part = Array(scalars[start..<start + count])
    let test = pick(TextTest.allCases)
    if test == .like {
      part = Array(part.prefix(6))
      for _ in 0..<below(3) { part.insert(pick(["*", "?", "*"]), at: below(part.count + 1)) }
    }
    var wanted = String.UnicodeScalarView()
    wanted.append(contentsOf: part)
    return .text(test, String(wanted), options: oneIn(2) ? 0 : 1 + below(3))
  }
}
