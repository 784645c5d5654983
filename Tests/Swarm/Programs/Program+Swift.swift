// A program as Swift code, to be pasted as a test.

extension Program {
  /// A test that runs the program.
  package var code: String {
    let sorted = thresholds.sorted { $0.key < $1.key }
    let thresholds =
      sorted.isEmpty
      ? "[:]" : "[" + sorted.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "]"
    return """
      @Test func <#what it shows#>() throws {
        try SwarmProcess.run(
          Program(
            family: "\(family)", version: \(version), thresholds: \(thresholds), mapBytes: \(mapBytes),
            maxReaders: \(maxReaders), compacts: \(compacts), hasJournal: \(hasJournal),
            steps: [
              \(steps.map(\.code).joined(separator: ",\n        "))
            ]))
      }
      """
  }
}

private func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

private func text(_ text: String) -> String { Value.code(text) }

private func fields(_ row: Fields) -> String {
  if row.isEmpty { return "[:]" }
  return list(row.sorted { $0.key < $1.key }.map { "\(text($0.key)): \($0.value)" })
}

extension Step {
  fileprivate var code: String {
    switch self {
    case .write(let writer, let statements, let fails):
      ".write(.\(writer), \(list(statements.map(\.code))), fails: \(fails))"
    case .group(let writes): ".group(\(list(writes.map(\.code))))"
    case .crowd(let places, let statements):
      ".crowd(places: \(places), \(list(statements.map(\.code))))"
    case .reopen: ".reopen"
    case .open(let version): ".open(version: \(version))"
    case .beside(let version, let there, let here):
      ".beside(version: \(version), \(list(there.map(\.code))), \(list(here.map(\.code))))"
    case .compact: ".compact"
    case .backup: ".backup"
    case .dump: ".dump"
    case .restore: ".restore"
    case .observe(let question, let sections):
      ".observe(\(question.code), sections: \(sections.map(text) ?? "nil"))"
    case .backlog(let transactions, let question, let sections):
      ".backlog(\(list(transactions.map { list($0.map(\.code)) })), \(question.code), "
        + "sections: \(sections.map(text) ?? "nil"))"
    case .follow: ".follow"
    case .snapshot: ".snapshot"
    case .rebuildIndexes: ".rebuildIndexes"
    case .copyThroughLink(let statements): ".copyThroughLink(\(list(statements.map(\.code))))"
    case .share(let limit, let statements):
      ".share(limit: \(limit), \(list(statements.map(\.code))))"
    case .erase: ".erase"
    case .damage(let row, let byte, let version):
      ".damage(row: \(row), byte: \(byte), version: \(version))"
    case .ask(let questions): ".ask(\(list(questions.map(\.code))))"
    }
  }
}

extension GroupedWrite {
  fileprivate var code: String { "GroupedWrite(\(list(statements.map(\.code))), fails: \(fails))" }
}

extension Statement {
  fileprivate var code: String {
    switch self {
    case .insert(let model, let row): ".insert(\(text(model)), \(fields(row)))"
    case .insertAll(let model, let rows): ".insertAll(\(text(model)), \(list(rows.map(fields))))"
    case .upsert(let model, let row): ".upsert(\(text(model)), \(fields(row)))"
    case .merge(let model, let original, let row):
      ".merge(\(text(model)), original: \(fields(original)), \(fields(row)))"
    case .update(let model, let key, let row): ".update(\(text(model)), \(key), \(fields(row)))"
    case .updateAll(let question, let row): ".updateAll(\(question.code), \(fields(row)))"
    case .set(let question, let field, let value):
      ".set(\(question.code), \(text(field)), \(value))"
    case .delete(let model, let key): ".delete(\(text(model)), \(key))"
    case .deleteAll(let question): ".deleteAll(\(question.code))"
    case .deleteEvery(let model): ".deleteEvery(\(text(model)))"
    case .savepoint(let statements, let fails):
      ".savepoint(\(list(statements.map(\.code))), fails: \(fails))"
    case .check(let question): ".check(\(question.code))"
    }
  }
}

extension Question {
  var code: String {
    var parts = [text(model)]
    if term != .constant(true) { parts.append(term.code) }
    if isByRelevance { parts.append("isByRelevance: true") }
    if !order.isEmpty {
      parts.append(
        "order: "
          + list(order.map { "Sort(\(text($0.field)), isDescending: \($0.isDescending))" }))
    }
    if !distinct.isEmpty { parts.append("distinct: \(list(distinct.map(text)))") }
    if let limit { parts.append("limit: \(limit)") }
    if offset > 0 { parts.append("offset: \(offset)") }
    return "Question(\(parts.joined(separator: ", ")))"
  }
}

extension Question: CustomStringConvertible {
  package var description: String { code }
}

extension Term {
  fileprivate var code: String {
    switch self {
    case .constant(let holds): ".constant(\(holds))"
    case .field(let field, let test): ".field(\(text(field)), \(test.code))"
    case .search(let search): ".search(\(search.code))"
    case .fields(let left, let comparison, let right):
      ".fields(\(text(left)), .\(comparison), \(text(right)))"
    case .referrers(let model, let field, let quantity, let term):
      ".referrers(\(text(model)), by: \(text(field)), .\(quantity), \(term.code))"
    case .referrerCount(let model, let field, let comparison, let count):
      ".referrerCount(\(text(model)), by: \(text(field)), .\(comparison), \(count))"
    case .and(let terms): ".and(\(list(terms.map(\.code))))"
    case .or(let terms): ".or(\(list(terms.map(\.code))))"
    case .not(let term): ".not(\(term.code))"
    }
  }
}

extension Search {
  fileprivate var code: String {
    let groups = groups.map { terms in
      list(
        terms.map { term in
          "Search.Term(\(Value.code(term.text)), isOpen: \(term.isOpen), "
            + "isExcluded: \(term.isExcluded))"
        })
    }
    return "Search(\(list(groups)))"
  }
}

extension FieldTest {
  fileprivate var code: String {
    switch self {
    case .compare(let comparison, let value): ".compare(.\(comparison), \(value))"
    case .within(let values): ".within(\(list(values.map(\.description))))"
    case .isNil: ".isNil"
    case .text(let test, let wanted, let options):
      ".text(.\(test), \(Value.code(wanted)), options: \(options))"
    case .search(let search): ".search(\(search.code))"
    case .elements(let quantity, let test): ".elements(.\(quantity), \(test.code))"
    case .measure(let measure, let comparison, let value):
      ".measure(.\(measure), .\(comparison), \(value))"
    case .targets(let left, let comparison, let right):
      ".targets(\(Value.code(left)), .\(comparison), \(Value.code(right)))"
    case .target(let field, let test): ".target(\(Value.code(field)), \(test.code))"
    }
  }
}
