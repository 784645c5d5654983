import Presentation
import Reactive
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

@Suite("The article TodoKit")
struct TodoKitSnippets {
  @Test func aFrontEndNeedsThisMuch() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let bag = DisposeBag()
    let told = BehaviorRelay<[String]>(value: [])
    let show: @Sendable (String) -> Void = { told.accept(told.value + [$0]) }
    let warn = show

    let repository = try CroftTodoRepository(path: path)
    let messages = MessageCatalog.todo(in: .korean)

    let attempts = PublishSubject<TaskDraft>()
    let output = AddTaskViewModel(repository: repository)
      .transform(input: .init(attempts: attempts))
    output.added.subscribe(onNext: { show($0.title) }).disposed(by: bag)
    output.validationError.subscribe(onNext: { warn(messages.message(for: $0)) }).disposed(by: bag)
    output.storageError.subscribe(onNext: { warn(messages.message(for: $0)) }).disposed(by: bag)

    attempts.onNext(TaskDraft(title: "보고서 쓰기", priority: .high))

    attempts.onNext(TaskDraft(title: " ", priority: .high))
    #expect(told.value == ["보고서 쓰기", "할일을 입력해주세요!"])
    #expect(try repository.items(.all).map(\.title) == ["보고서 쓰기"])
  }
}
