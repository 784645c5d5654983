/// Makes a program that fails shorter, as long as it fails.
///
/// Parts are left out, the large ones first; then rows, thresholds, and what is left of a question.
struct Shrinker {
  /// Whether a program fails; it may crash the process that runs it.
  let fails: (Program) -> Bool
  private(set) var attempts = 0
  private let mostAttempts: Int

  init(mostAttempts: Int = 400, fails: @escaping (Program) -> Bool) {
    self.mostAttempts = mostAttempts
    self.fails = fails
  }

  mutating func shrunk(_ program: Program) -> Program {
    var program = program
    var last: Program
    repeat {
      last = program
      program.steps = shrunk(program.steps) { steps in
        var shorter = program
        shorter.steps = steps
        return shorter
      }
      for place in program.steps.indices { program = withoutParts(of: place, program) }
      program = withStandards(program)
    } while program != last && attempts < mostAttempts
    return program
  }

  private mutating func stillFails(_ program: Program) -> Bool {
    guard attempts < mostAttempts else { return false }
    attempts += 1
    return fails(program)
  }

  /// Leaves out as many elements as can be, in runs of half of them, a quarter, and so on.
  private mutating func shrunk<Element>(
    _ elements: [Element], _ program: ([Element]) -> Program
  ) -> [Element] {
    var elements = elements
    var width = max(elements.count / 2, 1)
    while !elements.isEmpty {
      var start = 0
      while start < elements.count {
        var shorter = elements
        shorter.removeSubrange(start..<min(start + width, elements.count))
        if stillFails(program(shorter)) { elements = shorter } else { start += width }
      }
      if width == 1 { break }
      width /= 2
    }
    return elements
  }

  private mutating func withoutParts(of place: Int, _ program: Program) -> Program {
    var program = program
    func with(_ step: Step) -> Program {
      var shorter = program
      shorter.steps[place] = step
      return shorter
    }
    switch program.steps[place] {
    case .write(let writer, let statements, let fails):
      if writer != .own, stillFails(with(.write(.own, statements, fails: fails))) {
        program = with(.write(.own, statements, fails: fails))
      }
      guard case .write(let writer, _, _) = program.steps[place] else { return program }
      let shorter = shrunk(statements) { with(.write(writer, $0, fails: fails)) }
      program = with(.write(writer, shorter, fails: fails))
      for number in shorter.indices {
        guard case .write(_, let now, _) = program.steps[place] else { break }
        let statement = withoutRows(now[number]) { other in
          var all = now
          all[number] = other
          return with(.write(writer, all, fails: fails))
        }
        var all = now
        all[number] = statement
        program = with(.write(writer, all, fails: fails))
      }
    case .group(let writes):
      var writes = shrunk(writes) { with(.group($0)) }
      for number in writes.indices {
        writes[number].statements = shrunk(writes[number].statements) { statements in
          var all = writes
          all[number].statements = statements
          return with(.group(all))
        }
      }
      program = with(.group(writes))
    case .crowd(let places, let statements):
      let fewer = shrunk(statements) { with(.crowd(places: places, $0)) }
      program = with(.crowd(places: places, fewer))
    case .beside(let version, let there, let here):
      let fewer = shrunk(there) { with(.beside(version: version, $0, here)) }
      let rest = shrunk(here) { with(.beside(version: version, fewer, $0)) }
      program = with(.beside(version: version, fewer, rest))
    case .copyThroughLink(let statements):
      program = with(.copyThroughLink(shrunk(statements) { with(.copyThroughLink($0)) }))
    case .share(let limit, let statements):
      program = with(
        .share(limit: limit, shrunk(statements) { with(.share(limit: limit, $0)) }))
    case .backlog(let transactions, let question, let sections):
      program = with(
        .backlog(
          shrunk(transactions) { with(.backlog($0, question, sections: sections)) }, question,
          sections: sections))
    case .ask(let questions):
      let shorter = shrunk(questions) { with(.ask($0)) }
      program = with(.ask(shorter))
      if shorter.count == 1 {
        let simpler = simpler(shorter[0]) { with(.ask([$0])) }
        program = with(.ask([simpler]))
      }
    default: break
    }
    return program
  }

  private mutating func withoutRows(
    _ statement: Statement, _ program: (Statement) -> Program
  ) -> Statement {
    switch statement {
    case .insertAll(let model, let rows):
      return .insertAll(model, shrunk(rows) { program(.insertAll(model, $0)) })
    case .savepoint(let statements, let fails):
      return .savepoint(
        shrunk(statements) { program(.savepoint($0, fails: fails)) }, fails: fails)
    default: return statement
    }
  }

  private mutating func simpler(
    _ question: Question, _ program: (Question) -> Program
  ) -> Question {
    var question = question
    let changes: [(inout Question) -> Void] = [
      { $0.isByRelevance = false }, { $0.order = [] }, { $0.distinct = [] },
      {
        $0.limit = nil; $0.offset = 0
      },
      { $0.offset = 0 }, { $0.order = Array($0.order.prefix(1)) },
    ]
    for change in changes {
      var other = question
      change(&other)
      if other != question, stillFails(program(other)) { question = other }
    }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for term in question.term.simpler {
        var other = question
        other.term = term
        if stillFails(program(other)) {
          question = other
          hasChanged = true
          break
        }
      }
    }
    return question
  }

  private mutating func withStandards(_ program: Program) -> Program {
    var program = program
    for name in program.thresholds.keys.sorted() {
      var other = program
      other.thresholds[name] = nil
      if stillFails(other) { program = other }
    }
    let plain = Program(family: program.family)
    var other = program
    (other.mapBytes, other.maxReaders, other.compacts, other.hasJournal) =
      (plain.mapBytes, plain.maxReaders, plain.compacts, plain.hasJournal)
    if other != program, stillFails(other) { program = other }
    return program
  }
}

extension Term {
  /// Conditions with one part less.
  fileprivate var simpler: [Term] {
    switch self {
    case .and(let terms), .or(let terms):
      var all = terms
      for place in terms.indices where terms.count > 1 {
        var rest = terms
        rest.remove(at: place)
        if case .and = self { all.append(.and(rest)) } else { all.append(.or(rest)) }
      }
      for (place, term) in terms.enumerated() {
        for part in term.simpler {
          var rest = terms
          rest[place] = part
          if case .and = self { all.append(.and(rest)) } else { all.append(.or(rest)) }
        }
      }
      return all
    case .not(let term): return [term] + term.simpler.map { .not($0) }
    default: return []
    }
  }
}
