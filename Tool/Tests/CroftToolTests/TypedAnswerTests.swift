import Croft
import Foundation
import Testing
import TodoKit

@testable import CroftTool

/// Questions that the shell answers as typed Swift does, on a store of books and on one of to-dos.
@Suite struct TypedAnswerTests {
  /// A value of a result, as JSON has it.
  enum Cell: Equatable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([Cell])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else {
        self = .list(try container.decode([Cell].self))
      }
    }

    /// A typed value.
    init(_ value: Any?) {
      switch value {
      case nil: self = .null
      case let value as Bool: self = .bool(value)
      case let value as Int: self = .number(Double(value))
      case let value as Int64: self = .number(Double(value))
      case let value as Int32: self = .number(Double(value))
      case let value as Double: self = .number(value)
      case let value as String: self = .text(value)
      case let value as Date: self = .text(value.formatted(.iso8601))
      case let value as UUID: self = .text(value.uuidString)
      case let value as Data: self = .text(value.base64EncodedString())
      case let values as [Any]: self = .list(values.map { Cell($0) })
      default: self = .text("no cell: \(String(describing: value))")
      }
    }
  }

  /// A question: its text, how many answers it has, and the same in Swift.
  private struct Question {
    let text: String
    let count: Int
    let answer: (Store) throws -> [[Any?]]
  }

  /// Compares the answers of Swift with those of the shell, in each format of JSON.
  private func check(
    _ questions: [Question], _ file: String, _ answers: [[[Cell]]]
  ) throws {
    // A process opens a file with the same options each time: Swift has closed it.
    let store = try ShellStore(file).reading()
    for (question, typed) in zip(questions, answers) {
      #expect(typed.count == question.count, "\(question.text)")
      let names = try store.read { try $0.names(of: DynamicQuery(question.text)) }
      let array = ToolRun(["-o", "json", file, question.text], isShown: false)
      let lines = ToolRun(["-o", "ndjson", file, question.text], isShown: false)
      #expect(array.code == 0 && lines.code == 0, "\(array.messages)")
      let decoder = JSONDecoder()
      let objects = try decoder.decode([[String: Cell]].self, from: Data(array.output.utf8))
      let others = try lines.output.split(separator: "\n").map {
        try decoder.decode([String: Cell].self, from: Data($0.utf8))
      }
      #expect(objects == others, "\(question.text)")
      #expect(objects.map { row in names.map { row[$0] ?? .null } } == typed, "\(question.text)")
      #expect(objects.allSatisfy { $0.count == names.count }, "\(question.text)")
    }
  }

  private func answers(of store: Store, to questions: [Question]) throws -> [[[Cell]]] {
    try questions.map { try $0.answer(store).map { $0.map { Cell($0) } } }
  }

  // MARK: - Books

  private static func fill(_ store: Store) throws {
    try store.write { tx in
      try tx.insert(contentsOf: [Author(id: 3, name: "Zoë"), Author(id: 4, name: "김 작가")])
      try tx.insert(contentsOf: [
        Book(
          id: 4, title: "Milk", year: 2010, tags: ["a"], author: Ref(1), form: .screen,
          state: .lent),
        Book(id: 5, title: "milk and honey", year: 2010, tags: ["a", "b", "집"], author: Ref(1)),
        Book(id: 6, title: "바나나 우유", year: 1999, tags: ["집"], author: Ref(3)),
        Book(id: 7, title: "Zoë's sea", year: 2020, author: Ref(3), form: .screen),
        Book(id: 8, title: "sea level", year: nil, tags: ["b"], author: Ref(4), state: .lent),
        Book(
          id: 9, title: "a*b", year: 2005, tags: ["c", "c"], cover: Data([1, 2, 3]),
          author: Ref(4)),
        Book(id: 10, title: "", year: 2010, tags: ["a", "c"], author: Ref(2), shelf: .high),
        Book(id: 11, title: "Émile", year: 1985, tags: ["d"], author: Ref(2)),
        Book(id: 12, title: "Sea", year: 2021, tags: ["a", "b"]),
      ])
    }
  }

  private static func books() -> [Question] {
    var questions: [Question] = []
    func ask(_ text: String, _ count: Int, _ answer: @escaping (Store) throws -> [[Any?]]) {
      questions.append(Question(text: text, count: count, answer: answer))
    }
    func ids(_ condition: String, _ count: Int, _ query: Query<Book>) {
      ask("Book where \(condition) select id", count) { try $0.fetch(query).map { [$0.id] } }
    }
    ids("year == 2010", 3, Book.where { $0.year == 2010 })
    ids("year != 2010", 9, Book.where { $0.year != 2010 })
    ids("year < 2001", 3, Book.where { $0.year < 2001 })
    ids("year <= 2001", 4, Book.where { $0.year <= 2001 })
    ids("2010 < year", 2, Book.where { $0.year > 2010 })
    ids("year >= 2010", 5, Book.where { $0.year >= 2010 })
    ids("year between 2000 and 2010", 5, Book.where { $0.year.between(2000, 2010) })
    ids("year in [1999, 2020]", 3, Book.where { $0.year.in([1999, 2020]) })
    ids("year not in [1999, 2010]", 7, Book.where { !$0.year.in([1999, 2010]) })
    ids("year in [nil, 1985]", 3, Book.where { $0.year.in([nil, 1985]) })
    ids("year == nil", 2, Book.where { $0.year == nil })
    ids("year != nil", 10, Book.where { $0.year != nil })
    ids(
      "year > 2000 and state == lent", 1, Book.where { $0.year > 2000 && $0.state == .lent })
    ids("year == 1985 or id == 1", 2, Book.where { $0.year == 1985 || $0.id == 1 })
    ids(
      "not (year > 2000 or year == nil)", 3, Book.where { !($0.year > 2000 || $0.year == nil) })
    ids("title == \"바나나 우유\"", 1, Book.where { $0.title == "바나나 우유" })
    ids("title contains \"우유\"", 1, Book.where { $0.title.contains("우유") })
    ids("title matches \"우유\"", 1, Book.where { $0.title.matches("우유") })
    ids("title contains \"sea\"", 2, Book.where { $0.title.contains("sea") })
    ids(
      "title contains[c] \"SEA\"", 4,
      Book.where { $0.title.contains("SEA", options: [.caseInsensitive]) })
    ids(
      "title beginsWith[cd] \"zoe\"", 1,
      Book.where {
        $0.title.hasPrefix("zoe", options: [.caseInsensitive, .diacriticInsensitive])
      })
    ids(
      "title equals[cd] \"emile\"", 1,
      Book.where { $0.title.equals("emile", options: [.caseInsensitive, .diacriticInsensitive]) })
    ids("title endsWith \"honey\"", 1, Book.where { $0.title.hasSuffix("honey") })
    ids("title like \"?ea*\"", 3, Book.where { $0.title.like("?ea*") })
    ids("title like \"a\\\\*b\"", 1, Book.where { $0.title.like("a\\*b") })
    ids("lower(title) == \"milk\"", 1, Book.where { $0.title.lowercased() == "milk" })
    ids("length(title) > 9", 2, Book.where { $0.title.count > 9 })
    ids("title == ''", 1, Book.where { $0.title == "" })
    ids("form == screen", 2, Book.where { $0.form == .screen })
    ids("form == \"e-book\"", 2, Book.where { $0.form == .screen })
    ids("shelf == 1", 1, Book.where { $0.shelf == .high })
    ids("cover == x\"010203\"", 1, Book.where { $0.cover == Data([1, 2, 3]) })
    ids("author == 3", 2, Book.where { $0.author == Ref(3) })
    ids("author == nil", 2, Book.where { $0.author == nil })
    ids("author.name == \"김 작가\"", 2, Book.where { $0.author.name == "김 작가" })
    ids("tags contains \"집\"", 2, Book.where { $0.tags.contains("집") })
    ids("tags any (it beginsWith \"b\")", 4, Book.where { $0.tags.any { $0.hasPrefix("b") } })
    ids("tags all (it == \"a\")", 4, Book.where { $0.tags.all { $0 == "a" } })
    ids("tags none (it == \"a\")", 7, Book.where { $0.tags.none { $0 == "a" } })
    ids("tags.count >= 2", 5, Book.where { $0.tags.count >= 2 })
    ids("(year ?? 0) == 0", 2, Book.where { ($0.year ?? 0) == 0 })
    ids("year % 10 == 0", 4, Book.where { $0.year % 10 == 0 })
    ask("Author where Book.author.count > 2 select name", 2) { store in
      try store.fetch(Author.where { $0.referrers(by: \Book.author).count > 2 }).map { [$0.name] }
    }
    ask("Author where Book.author any (year == 1999) select id, name", 1) { store in
      let query = Author.where { $0.referrers(by: \Book.author).any { $0.year == 1999 } }
      return try store.fetch(query).map { [$0.id, $0.name] }
    }
    ask("Book sort by year desc, title select year, title", 12) { store in
      try store.fetch(Book.order(by: \.year.descending, \.title)).map { [$0.year, $0.title] }
    }
    ask("Book sort by title limit 3 offset 2 select title", 3) { store in
      try store.fetch(Book.order(by: \.title).limit(3, offset: 2)).map { [$0.title] }
    }
    ask("Book distinct by year select year", 8) { store in
      try store.fetch(Book.all.distinct(by: \.year)).map { [$0.year] }
    }
    ask("Book where tags contains \"a\" select id, tags, cover, form", 5) { store in
      try store.fetch(Book.where { $0.tags.contains("a") })
        .map { [$0.id, $0.tags, $0.cover, $0.form.rawValue] }
    }
    ask("Book where year > 2000 select count", 1) { store in
      [[try store.count(Book.where { $0.year > 2000 })]]
    }
    ask("Book select sum(year), min(year), max(year)", 1) { store in
      [
        [
          try store.fetch(Book.all.sum(\.year)), try store.fetch(Book.all.min(\.year)),
          try store.fetch(Book.all.max(\.year)),
        ]
      ]
    }
    ask("Book select avg(year) as mean", 1) { store in
      [[try store.fetch(Book.all.average(\.year))]]
    }
    ask("Book select year, count, min(title) as first group by year", 8) { store in
      let groups = try store.fetch(Book.all.grouped(by: \.year, .count, .min(\.title)))
      return groups.map { [$0.key, $0.values.0, $0.values.1] }
    }
    ask("Book select author.name, count group by author.name", 5) { store in
      try store.fetch(Book.all.grouped(by: { $0.author.name }, .count)).map { [$0.key, $0.values] }
    }
    return questions
  }

  @Test func questionsAboutBooksHaveTheAnswersOfSwift() throws {
    let (books, questions) = (try BookStore(), Self.books())
    let typed = try {
      let store = try books.open()
      try Self.fill(store)
      return try answers(of: store, to: questions)
    }()
    try check(questions, books.file, typed)
  }

  /// The shell has no parameters: a program gives them.
  @Test func parametersHaveTheAnswersOfSwift() throws {
    let store = try BookStore().open()
    try Self.fill(store)
    func ids(_ query: DynamicQuery) throws -> [Int] {
      try store.fetch(query).map { try $0["id", as: Int.self] }
    }
    #expect(
      try ids(DynamicQuery("Book where year == $1 and title != $2", 2010, "Milk"))
        == store.fetch(Book.where { $0.year == 2010 && $0.title != "Milk" }).map(\.id))
    #expect(
      try ids(DynamicQuery("Book where id in $some", named: ["some": [1, 4]]))
        == store.fetch(Book.where { $0.id.in([1, 4]) }).map(\.id))
  }

  // MARK: - To-dos

  private static func day(_ number: Int32) throws -> CalendarDay {
    try #require(CalendarDay(rawValue: number))
  }

  private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  /// Groups and items, of which some were made long ago and some now.
  private static func makeItems(in store: Store) throws {
    let home = TodoGroup(
      name: "집", order: 1, createdAt: try date("2026-01-02T03:04:05Z"))
    let work = TodoGroup(
      name: "Work", order: 2, createdAt: try date("2026-02-28T23:30:00Z"))
    let empty = TodoGroup(name: "empty", order: 3, createdAt: .now)
    let long = try date("2026-01-15T10:00:00Z")
    var items = [
      TodoItem(title: "우유 사기", priority: .high, createdAt: long, group: Ref(home.id)),
      TodoItem(title: "bread", priority: .low, isDone: true, createdAt: long, group: Ref(home.id)),
      TodoItem(title: "Café", isImportant: true, createdAt: .now, group: Ref(home.id)),
      TodoItem(title: "report", priority: .high, createdAt: .now, group: Ref(work.id)),
      TodoItem(title: "Report cards", priority: .normal, isDone: true, createdAt: long),
    ]
    items[0].due = try day(2026_06_01)
    items[1].due = try day(2026_05_31)
    items[3].due = try day(2026_06_15)
    items[1].doneAt = try date("2026-03-01T00:30:00Z")
    items[4].doneAt = try date("2026-03-31T12:00:00Z")
    items[0].tags = ["shop", "급함"]
    items[3].tags = ["shop"]
    items[3].estimate = Estimate(rawValue: 90)
    items[4].estimate = Estimate(rawValue: 15)
    for place in items.indices { items[place].order = Int64(place) * 10 }
    try store.write { tx in
      try tx.insert(contentsOf: [home, work, empty])
      try tx.insert(contentsOf: items)
    }
  }

  private static func items(_ first: TodoItem) throws -> [Question] {
    var questions: [Question] = []
    func ask(_ text: String, _ count: Int, _ answer: @escaping (Store) throws -> [[Any?]]) {
      questions.append(Question(text: text, count: count, answer: answer))
    }
    func titles(_ condition: String, _ count: Int, _ query: Query<TodoItem>) {
      ask("TodoItem where \(condition) select title", count) { store in
        try store.fetch(query).map { [$0.title] }
      }
    }
    let (june, march) = (try day(2026_06_01), try date("2026-03-01T00:00:00Z"))
    let estimate = try #require(Estimate(rawValue: 60))
    titles("isDone", 2, TodoItem.where { $0.isDone })
    titles("!isDone and priority == high", 2, TodoItem.where { !$0.isDone && $0.priority == .high })
    titles("priority >= normal", 3, TodoItem.where { $0.priority >= .normal })
    titles("priority in [low, high]", 3, TodoItem.where { $0.priority.in([.low, .high]) })
    titles("due == 20260601", 1, TodoItem.where { $0.due == june })
    titles("due >= 20260601", 2, TodoItem.where { $0.due >= june })
    titles("due == nil", 2, TodoItem.where { $0.due == nil })
    titles("estimate > 60", 1, TodoItem.where { $0.estimate > estimate })
    titles("doneAt > 2026-03-01T00:00:00Z", 2, TodoItem.where { $0.doneAt > march })
    titles(
      "createdAt > now - 7d", 2, TodoItem.where { $0.createdAt > Date(timeIntervalSinceNow: -6e5) })
    titles(
      "createdAt < now - 7d", 3, TodoItem.where { $0.createdAt < Date(timeIntervalSinceNow: -6e5) })
    titles("group.name == \"집\"", 3, TodoItem.where { $0.group.name == "집" })
    titles("group == nil", 1, TodoItem.where { $0.group == nil })
    titles("tags any (it == \"급함\")", 1, TodoItem.where { $0.tags.any { $0 == "급함" } })
    titles(
      "title contains[cd] \"cafe\"", 1,
      TodoItem.where {
        $0.title.contains("cafe", options: [.caseInsensitive, .diacriticInsensitive])
      })
    titles("id == \(first.id.uuidString)", 1, TodoItem.where { $0.id == first.id })
    ask("TodoItem sort by priority desc, order desc select title, priority", 5) { store in
      try store.fetch(TodoItem.order(by: \.priority.descending, \.order.descending))
        .map { [$0.title, $0.priority.rawValue] }
    }
    ask("TodoItem where doneAt != nil sort by order select id, doneAt, group", 2) { store in
      try store.fetch(TodoItem.where { $0.doneAt != nil }.order(by: \.order))
        .map { [$0.id, $0.doneAt, $0.group?.key] }
    }
    ask("TodoGroup where TodoItem.group none (isDone) sort by name select name", 2) { store in
      let query = TodoGroup.where { $0.referrers(by: \TodoItem.group).none { $0.isDone } }
      return try store.fetch(query.order(by: \.name)).map { [$0.name] }
    }
    ask("TodoGroup where TodoItem.group.count == 0 select name", 1) { store in
      try store.fetch(TodoGroup.where { $0.referrers(by: \TodoItem.group).count == 0 })
        .map { [$0.name] }
    }
    ask("TodoItem select priority, count, sum(order) as total group by priority", 4) { store in
      let groups = try store.fetch(TodoItem.all.grouped(by: \.priority, .count, .sum(\.order)))
      return groups.map { [$0.key.rawValue, $0.values.0, $0.values.1] }
    }
    ask("TodoItem select isDone, avg(order) as mean, max(title) as last group by isDone", 2) {
      store in
      let groups = try store.fetch(
        TodoItem.all.grouped(by: \.isDone, .average(\.order), .max(\.title)))
      return groups.map { [$0.key, $0.values.0, $0.values.1] }
    }
    return questions
  }

  @Test func questionsAboutToDosHaveTheAnswersOfSwift() throws {
    let folder = try BookStore().folder
    let url = folder.appending(path: "todo.croft")
    let (questions, typed) = try {
      let store = try Store.open(at: url, models: TodoGroup.self, TodoItem.self)
      try Self.makeItems(in: store)
      let first = try #require(try store.first(TodoItem.order(by: \.order)))
      let questions = try Self.items(first)
      return (questions, try answers(of: store, to: questions))
    }()
    try check(questions, url.path, typed)
    #expect(questions.count + Self.books().count > 70)
  }
}
