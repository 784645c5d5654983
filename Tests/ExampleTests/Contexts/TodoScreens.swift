import Foundation
import Reactive
import TodoKit
import TodoScreens

final class TextView: GroupView {
  let model: GroupModel
  init(_ model: GroupModel) { self.model = model }
  func initializeUI() { subscribeToModel() }
}

var repository: any TodoRepository { example() }
var window: any ScreenFactory { example() }
var model: GroupModel { example() }
var bus: EventBus { example() }
var bag: DisposeBag { example() }
var item: TodoItem { example() }
var id: UUID { example() }

func show<Value>(_ value: Value) {}
func draw<Value>(_ value: Value) {}
