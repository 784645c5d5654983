import Croft
import Foundation

@Model struct Habit: Equatable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Indexed(.unique) var name: String
  var days = 0
  var goal = 7
}
