import Croft
import Reactive

@Model struct Book {
  @PrimaryKey var id: Int
  var title: String
}

@Model struct Session {
  @PrimaryKey var id: Int
  var book: Ref<Book>
}

final class Label: Sendable {
  var text: String? {
    get { example() }
    set {}
  }
}

var title: Label { example() }
var bag: DisposeBag { example() }
var texts: Observable<String> { example() }
var scheduler: any SchedulerType { example() }
