import TestSupport

/// Draws a program from a seed, a step at a time: each step depends on what the store holds.
struct Generator {
  /// What a program does more of than others.
  private enum Theme {
    case everything
    /// Small changes under live queries, which have limits near what there is.
    case observers
    /// Models that go between versions.
    case versions
    /// A map that is soon full, here and in other processes.
    case growth
  }

  private var random: SeededGenerator
  private let theme: Theme
  private let size: Int
  /// What is left of the objects that one program writes, so that none takes minutes.
  private var budget: Int
  private(set) var stepCount: Int
  /// What is observed, so that writes change its first objects.
  private var observed: [Question] = []
  private var version = 0
  /// The models that an observed store was given objects of.
  private var filled: Set<String> = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    theme = random.pick([.everything, .everything, .everything, .observers, .versions, .growth])
    let largest = SwarmRun.largestSize
    let sizes =
      switch theme {
      case .everything: [4, 8, 8, 20, 20, 20, 40, 60, 60, 260, 1_400, 5_000]
      case .observers: [12, 20, 30, 60]
      case .versions: [4, 8, 20, 40]
      case .growth: [60, 260]
      }
    size = random.pick(sizes.filter { $0 <= largest })
    budget = max(150, size * 2)
    stepCount = 5 + random.below(size > 100 ? 5 : 12)
    if theme == .observers { stepCount += 10 }
  }

  /// What a program is run with.
  mutating func program(_ families: [Family]) -> Program {
    let changing = families.filter { $0.versions.count > 1 }
    let family = random.pick(theme == .versions && !changing.isEmpty ? changing : families)
    let version = random.below(family.versions.count)
    var program = Program(family: family.name, version: family.isInOrder ? 0 : version)
    if !random.oneIn(4) {
      for (name, range) in Hooks.thresholds where random.oneIn(2) {
        let value = random.oneIn(3) ? range.lowerBound : random.scaled(range)
        if value != range.upperBound { program.thresholds[name] = value }
      }
    }
    // A store that forgot a version would read its names as those of now.
    if family.isInOrder { program.thresholds["Croft.knownSchemasPerModel"] = nil }
    if theme == .observers, !random.oneIn(3) {
      // Few rows after a window, so that they are soon used up.
      program.thresholds["Croft.lookaheadRows"] = 1 + random.below(2)
    }
    program.mapBytes =
      theme == .growth
      ? random.pick([64 << 10, 128 << 10, 256 << 10]) : random.pick([1 << 20, 64 << 20, 1 << 30])
    program.maxReaders = random.pick([512, 512, 24, 8])
    program.compacts = random.oneIn(4)
    program.hasJournal = random.oneIn(4)
    return program
  }

  mutating func step(_ twin: Twin, _ family: Family, version: Int, hasBackup: Bool) -> Step {
    if version != self.version { observed = [] }
    self.version = version
    if family.versions.count > 1, random.oneIn(theme == .versions ? 3 : 6) {
      return .open(version: random.below(family.versions.count))
    }
    // A model without objects may change in any way, so that is when versions differ the most.
    let isEmpty = twin.models.shapes.allSatisfy { twin.count($0.name) == 0 }
    if family.versions.count > 1, random.oneIn(isEmpty ? 2 : theme == .versions ? 4 : 8) {
      return beside(twin, family, version)
    }
    if theme == .observers,
      let shape = twin.models.shapes.first(where: { !filled.contains($0.name) })
    {
      filled.insert(shape.name)
      if let rows = bulk(shape, twin, 0, of: size) { return .write(.own, [rows], fails: false) }
    }
    if theme == .observers, random.oneIn(5) {
      let question = random.window(random.pick(twin.models.shapes), twin)
      defer { observed.append(question) }
      return observe(question, sections: nil, twin)
    }
    if theme == .growth, random.oneIn(8) { return .snapshot }
    switch random.below(40) {
    case 0: return .reopen
    case 1: return .compact
    case 2: return hasBackup ? .restore : .backup
    case 3: return .backup
    case 4, 5, 6:
      let shape = random.pick(twin.models.shapes)
      let sections = shape.stored.filter(\.kind.isSimple)
      var question = random.question(shape, twin)
      let isSectioned = random.oneIn(4) && !sections.isEmpty && !question.isByRelevance
      if isSectioned { question.distinct = [] }
      return observe(question, sections: isSectioned ? random.pick(sections).name : nil, twin)
    case 7: return .snapshot
    case 8, 9, 10:
      return .group(
        (0..<2 + random.below(4)).map { _ in
          var copy = twin
          return GroupedWrite(statements(&copy, most: 2), fails: random.oneIn(5))
        })
    case 11, 12: return .follow
    case 13: return .rebuildIndexes
    case 15:
      var copy = twin
      return .copyThroughLink(statements(&copy, most: 3))
    case 17 where family.versions.count == 1:
      var copy = twin
      return .share(limit: random.pick([7, 100, 10_000]), statements(&copy, most: 4))
    case 16:
      // Programs of other versions may have models of their own, which the twin does not know.
      if family.versions.count == 1, random.oneIn(2) { return .erase }
      return .damage(
        row: random.below(1 << 20), byte: random.below(200),
        version: random.below(family.versions.count))
    case 14:
      var copy = twin
      return .crowd(places: random.pick([1, 2, 512]), statements(&copy, most: 2))
    case 17: return .dump
    default:
      var copy = twin
      let isGrowing = theme == .growth
      let writer: Writer =
        random.oneIn(isGrowing ? 4 : 14) ? .child : random.oneIn(6) ? .other : .own
      if writer == .other, let other = family.others(version).map({ random.pick($0) }) {
        copy = twin.narrowed(to: other)
      }
      let most = theme == .observers ? [1, 1, 1, 2] : [1, 1, 2, 3, 6]
      return .write(writer, statements(&copy, most: random.pick(most)), fails: random.oneIn(10))
    }
  }

  /// Begins an observation, now and then among commits that the other observers are not told of yet;
  /// then often of what one of them observes, whose result it shares.
  private mutating func observe(
    _ question: Question, sections: String?, _ twin: Twin
  ) -> Step {
    guard random.oneIn(3) else { return .observe(question, sections: sections) }
    var copy = twin
    let transactions = (0..<2 + random.below(5)).map { _ in statements(&copy, most: 2) }
    let shared = observed.filter { twin.models.isAskable($0) }
    return shared.isEmpty || random.oneIn(2)
      ? .backlog(transactions, question, sections: sections)
      : .backlog(transactions, random.pick(shared), sections: nil)
  }

  /// Another version writes while this one has the store open.
  private mutating func beside(_ twin: Twin, _ family: Family, _ version: Int) -> Step {
    let drawn = random.below(family.versions.count)
    let other = family.isInOrder ? min(drawn, twin.knownVersions) : drawn
    var copy = twin
    // Its properties may be of other types than those of this version, which is observed.
    let observed = self.observed
    self.observed = []
    // A version that is refused writes nothing.
    let there =
      copy.adopt(family.versions[other]) == .opens ? statements(&copy, most: 3) : []
    self.observed = observed
    let here =
      copy.adopt(family.versions[version].continued) == .opens ? statements(&copy, most: 3) : []
    return .beside(version: other, there, here)
  }

  /// Questions to ask after a transaction.
  mutating func questions(_ twin: Twin, _ count: Int) -> [Question] {
    (0..<count).map { _ in random.question(random.pick(twin.models.shapes), twin) }
  }

  private mutating func statements(_ twin: inout Twin, most: Int, depth: Int = 0) -> [Statement] {
    (0..<1 + random.below(most)).compactMap { _ in
      guard let statement = statement(twin, depth: depth) else { return nil }
      _ = twin.run(statement)
      return statement
    }
  }

  /// A change of the first objects that an observer is shown.
  private mutating func change(of question: Question, _ twin: Twin) -> Statement {
    let shape = twin.models.shape(question.model)
    var question = question
    question.limit = 1 + random.below(4)
    // The twin does not know which are the most relevant.
    question.isByRelevance = false
    return random.oneIn(2) ? .deleteAll(question) : .updateAll(question, changes(shape, twin))
  }

  private mutating func statement(_ twin: Twin, depth: Int) -> Statement? {
    let askable = observed.filter { twin.models.isAskable($0) }
    if !askable.isEmpty, random.oneIn(theme == .observers ? 2 : 4) {
      return change(of: random.pick(askable), twin)
    }
    let shape = random.pick(twin.models.shapes)
    let model = shape.name
    let rows = twin.rows(model)
    func newRow(_ random: inout SeededGenerator) -> Fields {
      random.row(shape, random.below(max(4, size + size / 4)), twin)
    }
    let isGrowing = rows.count < size / 2
    switch random.below(isGrowing ? 12 : 24) {
    case 0, 1, 2:
      let row = newRow(&random)
      return random.isPossible(row, shape) ? .insert(model, row) : nil
    case 3, 4, 5, 6, 7: return bulk(shape, twin, rows.count)
    case 8, 9:
      let row = newRow(&random)
      return random.isPossible(row, shape) ? .upsert(model, row) : nil
    case 10 where !rows.isEmpty:
      let original = random.pick(rows).row
      var row = original
      row.merge(changes(shape, twin)) { $1 }
      return .merge(model, original: original, row)
    case 11:
      guard depth < 2 else { return nil }
      var copy = twin
      return .savepoint(statements(&copy, most: 4, depth: depth + 1), fails: random.oneIn(2))
    case 12, 13, 14:
      guard !rows.isEmpty else { return nil }
      return .update(model, random.pick(rows).key, changes(shape, twin))
    case 15, 16:
      return .updateAll(random.question(shape, twin, forWriting: true), changes(shape, twin))
    case 17:
      let fields = shape.stored.filter { info in
        switch info.kind.unwrapped {
        case .coded, .parts, .structure: false
        default: !shape.key.contains(info.name)
        }
      }
      guard !fields.isEmpty else { return nil }
      let info = random.pick(fields)
      let value = random.value(of: info.kind, twin)
      if value == .null, !info.kind.isOptional { return nil }
      return .set(random.question(shape, twin, forWriting: true), info.name, value)
    case 18, 19:
      guard !rows.isEmpty else { return nil }
      return .delete(model, random.pick(rows).key)
    case 20, 21:
      if random.oneIn(2), !rows.isEmpty {
        // A range of keys: most of the model, or a part of it.
        let limit = random.oneIn(2) ? rows.count - random.below(rows.count / 4 + 1) : nil
        return .deleteAll(
          Question(model, order: random.oneIn(2) ? [] : [Sort(shape.key[0])], limit: limit))
      }
      return .deleteAll(random.question(shape, twin, forWriting: true))
    case 22: return random.oneIn(2) ? .deleteEvery(model) : nil
    default: return .check(random.question(shape, twin))
    }
  }

  private mutating func bulk(
    _ shape: any Shape, _ twin: Twin, _ count: Int, of number: Int? = nil
  ) -> Statement? {
    let sizes = [0, 1, 2, 7, 30, 255, 256, 257, 1_023, 1_024, 1_365, 5_000].filter { $0 <= size }
    let drawn = random.oneIn(3) ? random.pick(sizes) : random.below(size) + 1
    let wanted = min(number ?? drawn, budget)
    budget -= wanted
    let start = random.oneIn(5) ? random.below(size) : count
    var twin = twin
    var rows: [Fields] = []
    for number in start..<start + wanted {
      var row = random.row(shape, number, twin)
      guard random.isPossible(row, shape) else { continue }
      if !random.oneIn(size * 4) {
        // Mostly without clashes, or a large insert never succeeds.
        for _ in 0..<4 {
          guard case .refused = twin.run(.insert(shape.name, row)) else { break }
          for unique in twin.uniques(of: shape) {
            for field in unique {
              let name = field.hasSuffix("*") ? String(field.dropLast()) : field
              guard let info = shape.info(name), !shape.key.contains(name),
                info.kind.target == nil, info.calculation == nil
              else { continue }
              let value = random.unusual(info.kind, number, twin)
              guard let (from, place) = info.derived else {
                row[name] = value
                continue
              }
              if case .parts(var parts) = row[from], value != .null {
                parts[place] = value
                row[from] = .parts(parts)
              }
            }
          }
        }
        if twin.row(shape.name, shape.key(of: row)) == nil { continue }
      }
      rows.append(row)
    }
    if random.oneIn(3) { rows.shuffle(using: &random) }
    return .insertAll(shape.name, rows)
  }

  private mutating func changes(_ shape: any Shape, _ twin: Twin) -> Fields {
    var changes: Fields = [:]
    let fields = shape.stored.filter { !shape.key.contains($0.name) }
    guard !fields.isEmpty else { return changes }
    for _ in 0..<1 + random.below(3) {
      let info = random.pick(fields)
      let value = random.value(of: info, shape, twin)
      if value == .null, !info.kind.isOptional { continue }
      changes[info.name] = value
    }
    return changes
  }
}

extension SeededGenerator {
  /// A value that is hardly used yet.
  mutating func unusual(_ kind: Kind, _ number: Int, _ twin: Twin) -> Value {
    switch kind {
    case .optional(let kind): unusual(kind, number, twin)
    case .text: .text("u\(number)-\(below(1 << 20))")
    case .int(let bits): .int(Int64(truncatingIfNeeded: next()) >> (64 - bits))
    case .uint(let bits): .uint(next() >> UInt64(64 - bits))
    case .bytes: .bytes((0..<8).map { _ in UInt8(truncatingIfNeeded: next()) })
    case .uuid: .uuid((0..<16).map { _ in UInt8(truncatingIfNeeded: next()) })
    case .double, .date:
      kind == .date ? .date(Double(next() >> 20)) : .real(Double(next() >> 20))
    case .array(let kind), .set(let kind):
      .list(below(2) == 0 ? [] : [unusual(kind.unwrapped, number, twin)])
    default: value(of: kind, twin)
    }
  }
}

extension Twin {
  /// The twin as a program sees it that knows some of the models only.
  func narrowed(to models: Models) -> Twin {
    var twin = self
    twin.models = models
    return twin
  }
}
