import Croft
import Foundation

// The models that the predicates beside this file are about. No target builds this folder:
// Scripts/predicates has the compiler check it.

enum Level: Int, StoredEnum { case lowest, low, normal, high }

@Model struct Team {
  @PrimaryKey var id: UUID = .timeOrdered()
  var name: String
  var city: String?
  var lead: Ref<Member>?
}

@Model struct Member {
  @PrimaryKey var id: Int
  var name: String
  var age: Int
  var team: Ref<Team>?
}

@Model struct Job {
  @PrimaryKey var id: UUID = .timeOrdered()
  var title: String
  var note: String?
  @Indexed var level: Level = .normal
  var isDone = false
  var isUrgent: Bool?
  var minutes: Int = 0
  var rate: Double = 0
  var createdAt: Date = .now
  var dueAt: Date?
  var doneAt: Date?
  var team: Ref<Team>?
  var owner: Ref<Member>
  var tags: [String] = []
  var scores: Set<Int> = []
  var helpers: [Ref<Member>] = []
}
