import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import ReactiveTesting
import Testing

// The code of the module's pages, compiled and run.

struct NewTask: Equatable, Sendable {
  var title = ""
  var priority: Int?
}

func makeForm(
  save: @escaping @Sendable (String, Int) -> Observable<String>
) -> Form<NewTask, String> {
  Form(
    NewTask(),
    fields: [FormField(\.title, at: "title"), FormField(\.priority, at: "priority")],
    rule: Validator<NewTask, (String, Int)>.all(
      Validator<String, String>.notBlank.pullback(\.title, at: "title"),
      Validator<Int?, Int>.chosen.pullback(\.priority, at: "priority"))
  ) { (title, priority) in save(title, priority) }
}

struct SignUp: Equatable, Sendable {
  var name = ""
  var age = ""
}

struct Account: Equatable, Sendable {
  let name: String
  let age: Int
}

func makeSignUp(
  isTaken: @escaping @Sendable (String) -> Single<Bool>, on scheduler: any SchedulerType,
  save: @escaping @Sendable (Account) -> Observable<Account>
) -> Form<SignUp, Account> {
  let nameIsFree = AsyncValidator<String>(scheduler: scheduler) { name in
    isTaken(name).map { isTaken in
      isTaken ? [ValidationIssue(.notUnique, params: ["name": .text(name)])] : []
    }
  }
  let name = Validator<String, String>.notBlank.then(.maxLength(20))
    .then(.check("account.shouts", severity: .warning) { $0 != $0.uppercased() })
  let age = Validator<String, Int>.integer(locale: Locale(identifier: "en_GB"))
    .then(.within(18...120))
  return Form(
    SignUp(),
    fields: [FormField(\.name, at: "name", check: nameIsFree), FormField(\.age, at: "age")],
    rule: Validator<SignUp, (String, Int)>.all(
      name.pullback(\.name, at: "name"), age.pullback(\.age, at: "age")
    ).map { (name, age) in Account(name: name, age: age) },
    policy: IssuePolicy(.onTouched, then: .onChange)
  ) { account in save(account) }
}

func texts() -> MessageCatalog {
  var catalog = MessageCatalog.standard(in: .english)
  catalog.add([.english: "{name} is taken."], for: .notUnique, at: "name")
  catalog.add([.english: "Really in capitals?"], for: "account.shouts")
  return catalog
}

func screen(of state: FormState<SignUp>, _ texts: MessageCatalog) -> [String] {
  let name = state.field(\.name)
  let age = state.field(\.age)
  var lines = ["name: \(name.value)" + (name.isValidating ? " …" : "")]
  lines += name.visibleIssues.map { "  \(texts.message(for: $0))" }
  lines.append("age: \(age.value)")
  lines += age.visibleIssues.map { "  \(texts.message(for: $0))" }
  lines += state.visibleFormIssues.map { texts.message(for: $0) }
  return lines + [state.canSubmit ? "[Sign up]" : "(Sign up)"]
}

struct Search: Equatable, Sendable {
  var text = ""
  var found: [String] = []
}

enum SearchIntent: Sendable {
  case type(String)
  case show([String])
}

func makeSearch(
  _ find: @escaping @Sendable (String) -> Observable<[String]>
) -> IntentStore<Search, SearchIntent> {
  IntentStore(Search()) { state, intent in
    switch intent {
    case .type(let text):
      state.text = text
      return .run(find(text).map { .show($0) }, id: "search")
    case .show(let found):
      state.found = found
      return .none
    }
  }
}

enum Place: Hashable, Sendable {
  case home
  case group(String)
  case rename(String)
}

final class GroupFlow: Coordinator<Place> {
  func renameTapped(_ name: String) {
    startChild(Coordinator(router: router), with: .rename(name))
  }
}

struct Song: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

func follow(
  _ lists: Observable<[Song]>, in bag: DisposeBag, _ draw: @escaping @Sendable (String) -> Void
) -> FetchedResults<Song> {
  let results = FetchedResults(lists.listChanges())
  results.events.subscribe(onNext: { event in
    switch event {
    case .reload(let list): draw("reload \(list.count)")
    case .willChange, .section: break
    case .row(.delete(at: let old)): draw("delete \(old)")
    case .row(.insert(at: let new)): draw("insert \(new)")
    case .row(.move(from: let old, to: let new, _)): draw("move \(old) to \(new)")
    case .row(.update(at: let old, now: _)): draw("update \(old)")
    case .didChange(let list): draw("show \(list.count)")
    }
  }).disposed(by: bag)
  return results
}

@Suite("The pages", .accounted)
struct PagesTests {
  private let bag = DisposeBag()

  @Test func theFormOfThePageSavesWhatItsRuleMade() {
    let saved = Recorder<String>()
    let form = makeForm { title, priority in
      saved.on(.next("\(title) \(priority)"))
      return .just(title)
    }
    form.set(\.title, to: " Buy milk ")
    form.blur(\.title)
    form.set(\.priority, to: 1)
    form.submit()
    #expect(saved.elements == ["Buy milk 1"])
  }

  @Test func theSignUpOfThePageShowsItsIssuesAndItsResult() {
    let clock = TestScheduler(initialClock: 0, resolution: 0.1)
    let drawn = Recorder<[String]>()
    let draw: @Sendable ([String]) -> Void = { drawn.on(.next($0)) }
    let form = makeSignUp(isTaken: { .just($0 == "Ann") }, on: clock) { account in
      account.age == 99 ? .error(Refusal.full) : .just(account)
    }

    form.states.subscribe(onNext: { draw(screen(of: $0, texts())) }).disposed(by: bag)
    form.results.subscribe(onNext: { draw(["Hello, \($0.name)"]) }).disposed(by: bag)
    form.errors.subscribe(onNext: { draw([texts().message(for: $0)]) }).disposed(by: bag)

    #expect(drawn.elements.last == ["name: ", "age: ", "(Sign up)"])
    form.set(\.name, to: "Ann")
    form.blur(\.name)
    #expect(drawn.elements.last == ["name: Ann …", "age: ", "(Sign up)"])
    clock.advanceTo(10)
    #expect(drawn.elements.last == ["name: Ann", "  Ann is taken.", "age: ", "(Sign up)"])
    form.set(\.name, to: "BOB")
    form.set(\.age, to: "17")
    form.blur(\.age)
    clock.advanceTo(20)
    #expect(
      drawn.elements.last == [
        "name: BOB", "  Really in capitals?", "age: 17", "  Use a number from 18 to 120.",
        "(Sign up)",
      ])
    form.set(\.age, to: "99")
    #expect(drawn.elements.last?.last == "[Sign up]")
    form.submit()
    #expect(drawn.elements.contains { $0.first?.hasPrefix("Something went wrong") == true })
    form.set(\.age, to: "30")
    form.submit()
    #expect(drawn.elements.contains(["Hello, BOB"]))
  }

  @Test func theStoreOfThePageShowsTheLatestSearch() {
    let answers = PublishSubject<[String]>()
    let store = makeSearch { text in answers.map { $0.filter { $0.hasPrefix(text) } } }
    store.send(.type("a"))
    store.send(.type("b"))
    answers.onNext(["apple", "banana"])
    #expect(store.state == Search(text: "b", found: ["banana"]))
  }

  @Test func theCommandOfThePageTellsItsErrors() {
    let isValid = Observable.just(true)
    let repository: @Sendable (String) -> Observable<Int> = { _ in .error(Refusal.full) }
    let spinner = Recorder<Bool>()
    let alert = Recorder<ValidationIssue.Code>()
    let save = Command<String, Int>(isEnabled: isValid) { title in repository(title) }
    save.isExecuting.subscribe(onNext: { spinner.on(.next($0)) }).disposed(by: bag)
    save.errors.subscribe(onNext: { alert.on(.next($0.code)) }).disposed(by: bag)
    save.execute("Buy milk")
    #expect(spinner.elements == [false, true, false] && alert.elements == [.unexpected])
  }

  @Test func theFlowOfThePageOpensAScreen() {
    let flow = GroupFlow(router: Router([.home]))
    flow.start(with: .group("Home"))
    flow.renameTapped("Home")
    #expect(flow.router.stack == [.home, .group("Home"), .rename("Home")])
  }

  @Test func theListOfThePageIsFollowed() {
    let lists = PublishSubject<[Song]>()
    let log = Recorder<String>()
    let results = follow(lists, in: bag) { log.on(.next($0)) }
    lists.onNext([Song(id: 1, title: "a"), Song(id: 2, title: "b")])
    lists.onNext([Song(id: 2, title: "B"), Song(id: 3, title: "c")])
    #expect(
      log.elements == ["reload 2", "delete 0.0", "insert 0.1", "update 0.1", "show 2"])
    #expect(results.list.count == 2)
  }

  @Test func thePagesShowThisCode() throws {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath()
    let root = (0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() }
    let folder = root.appending(path: "Sources/Presentation/Presentation.docc")
    let code = lines(of: try String(contentsOf: file, encoding: .utf8))
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let blocks = try pages.filter { $0.hasSuffix(".md") }.flatMap { page in
      self.blocks(in: try String(contentsOf: folder.appending(path: page), encoding: .utf8))
    }
    #expect(blocks.count == 9)
    for block in blocks { #expect(code.contains(lines(of: block))) }
  }

  private func blocks(in page: String) -> [String] {
    page.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  /// The code without its indentation, which differs inside a test.
  private func lines(of code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}
