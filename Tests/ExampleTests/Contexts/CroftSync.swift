import Croft
import CroftSync
import Foundation

@Model struct Group {
  @PrimaryKey var id: UUID = .timeOrdered()
  var name: String = ""
}

@Model struct Item {
  @PrimaryKey var id: UUID = .timeOrdered()
  var title: String = ""
  var group: Ref<Group>?
}

var store: Store { example() }
var transport: any SyncTransport { example() }
var household: UUID { example() }

func show(_ status: Sync.Status) {}
