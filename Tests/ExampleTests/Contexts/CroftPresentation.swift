import Croft
import Presentation
import Reactive

@Model struct Book {
  @PrimaryKey var isbn: String
  var title: String
}

@Model struct Author {
  @PrimaryKey var id: Int
  var name: String
}

struct BookDraft: Equatable, Sendable {
  var isbn = ""
  var title = ""
}

struct Alert {
  func show(_ error: PresentableError) {}
}

var rule: Validator<BookDraft, Book> { example() }
var store: Store { example() }
var form: Form<BookDraft, Void> { example() }
var error: StoreError { example() }
var alert: Alert { example() }
var bag: DisposeBag { example() }
