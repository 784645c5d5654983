import Dispatch
import Observation
import Reactive

struct Item: Sendable {}

struct Draft: Sendable {}

struct TaskStore: Sendable {
  var tasks: Observable<[Item]> { example() }
  func save(_ draft: Draft) async throws -> Int { example() }
}

struct ItemStore: Sendable {
  func items(matching text: String) -> Observable<[Item]> { example() }
}

final class ProfileModel {
  @Publishable var name = "Ada"
}

final class ProfileView {
  func show(_ name: String) {}
  func show(_ items: [Item]) {}
}

final class ProfileController {
  let profile = ProfileModel()
  func finish(_ id: Int) {}
}

@MainActor final class Label: ReactiveCompatible {
  var text = ""
  func mute(_ isMuted: Bool) {}
}

struct TaskDone: EventProtocol {
  struct Payload { let id: Int }
  let payload: Payload
}

struct Search: Sendable {
  let typed: Observable<String>
  var results: Driver<[String]> { example() }
}

@Observable final class TitleModel: @unchecked Sendable {
  var title = ""
}

var source: Observable<Int> { example() }
var feed: Observable<Int> { example() }
var chart: PublishSubject<Int> { example() }
var table: PublishSubject<Int> { example() }
var errors: Observable<String> { example() }
var query: BehaviorRelay<String> { example() }
var list: ProfileView { example() }
var bus: EventBus { example() }
var scheduler: any SchedulerType { example() }
var bag: DisposeBag { example() }
var store: TaskStore { example() }
var draft: Draft { example() }
var id: Int { example() }
var profile: ProfileModel { example() }
var view: ProfileView { example() }
var controller: ProfileController { example() }
var model: TitleModel { example() }
var titles: Observable<String> { example() }
var typed: Observable<String> { example() }
var queries: Observable<String> { example() }
var background: any ImmediateSchedulerType { example() }

func show<Value>(_ value: Value) {}
func draw(_ title: String) {}
func draw(_ items: [Item]) async {}
func find(_ text: String) -> Observable<[Item]> { example() }
func report<Value>(_ value: Value) {}
func search(_ text: String) -> Observable<[Item]> { example() }
func search(_ text: String) async throws -> [Item] { example() }
func load(_ id: Int) -> Single<String> { example() }
