import Reactive
import TodoKit

var repository: any TodoRepository { example() }
var deletions: PendingDeletions { example() }
var bag: DisposeBag { example() }
var item: TodoItem { example() }
var swiped: TodoItem { example() }

func show<Value>(_ value: Value) {}
func draw<Value>(_ value: Value) {}
func warn<Value>(_ value: Value) {}
func tell<Value>(_ value: Value) {}
func ask(_ question: String, then answer: (Bool) throws -> Void) {}
