import Croft
import Reactive

@Model struct Book {
  @PrimaryKey var id: Int
  var title: String
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
