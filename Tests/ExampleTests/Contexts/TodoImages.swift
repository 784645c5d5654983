import TodoImages
import TodoKit

var environment: [String: String] { example() }
var key: String? { example() }
var group: TodoGroup { example() }
var repository: any TodoRepository { example() }
