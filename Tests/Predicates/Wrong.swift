import Croft
import Foundation

// Conditions with one mistake each. The line before tells the column where the compiler must find
// it, and words that its error must have.

func wrong(_ now: Date, _ other: Team) {
  // 32: no member 'hihg'
  _ = Job.where { $0.level == .hihg }
  // 46: no member 'hihg'
  _ = Job.where { !$0.isDone && $0.level == .hihg }
  // 73: no member 'hihg'
  _ = Job.where { $0.level >= .normal && $0.minutes > 3 && $0.level != .hihg }
  // 31: 'Int' to expected argument type 'String'
  _ = Job.where { $0.title == 3 }
  // 33: 'String' to expected argument type 'Int'
  _ = Job.where { $0.minutes == "3" }
  // 46: 'String' to expected argument type 'Int'
  _ = Job.where { $0.isDone && $0.minutes == "3" }
  // 49: 'Int' to expected argument type 'String'
  _ = Job.where { $0.minutes > 3 && $0.title == 3 && !$0.isDone }
  // 22: 'titel'
  _ = Job.where { $0.titel == "x" }
  // 35: 'titel'
  _ = Job.where { $0.isDone && $0.titel == "x" }
  // 73: 'titel'
  _ = Job.where { $0.isDone && $0.minutes > 3 && $0.level == .low && $0.titel == "x" }
  // 27: 'nmae'
  _ = Job.where { $0.team.nmae == "Home" }
  // 40: 'nmae'
  _ = Job.where { $0.isDone && $0.team.nmae == "Home" }
  // 32: 'nmae'
  _ = Job.where { $0.team.lead.nmae == "Ann" }
  // 30: 'isNil'
  _ = Job.where { $0.minutes.isNil }
  // 43: 'isNil'
  _ = Job.where { $0.isDone && $0.minutes.isNil }
  // 30: 'contains'
  _ = Job.where { $0.minutes.contains("x") }
  // 30: expected argument type 'Date'
  _ = Job.where { $0.dueAt < 3 }
  // 29: expected argument type 'Double'
  _ = Job.where { $0.rate > "1.5" }
  // 39: 'Int' to expected argument type
  _ = Job.where { $0.tags.any { $0 == 3 } }
  // 41: expected argument type 'Int'
  _ = Job.where { $0.minutes.between(1, "2") }
}
