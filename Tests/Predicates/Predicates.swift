import Croft
import Foundation

// Conditions as programs write them. Each must be checked in less than half a second.

func predicates(_ now: Date, _ ids: [UUID], _ team: Team) {
  _ = Job.where { $0.isDone }
  _ = Job.where { !$0.isDone }
  _ = Job.where { $0.level == .high }
  _ = Job.where { $0.level != .lowest }
  _ = Job.where { $0.level >= .normal && !$0.isDone }
  _ = Job.where { $0.minutes > 30 }
  _ = Job.where { $0.minutes >= 30 && $0.minutes < 60 }
  _ = Job.where { $0.minutes.between(30, 60) }
  _ = Job.where { $0.minutes.in(30...60) }
  _ = Job.where { $0.minutes.in([15, 30, 45]) }
  _ = Job.where { $0.rate > 1.5 }
  _ = Job.where { $0.title == "Read" }
  _ = Job.where { $0.title != "Read" && $0.title != "Write" }
  _ = Job.where { $0.title.contains("re") }
  _ = Job.where { $0.title.contains("re", options: [.caseInsensitive, .diacriticInsensitive]) }
  _ = Job.where { $0.title.hasPrefix("Re") || $0.title.hasSuffix("ad") }
  _ = Job.where { $0.title.like("R*d?") }
  _ = Job.where { $0.note.isNil }
  _ = Job.where { $0.note == nil || $0.note == "" }
  _ = Job.where { $0.note != nil && $0.note.contains("x") }
  _ = Job.where { $0.isUrgent == true }
  _ = Job.where { $0.isUrgent }
  _ = Job.where { $0.dueAt < now }
  _ = Job.where { $0.dueAt < now && !$0.isDone && $0.level >= .high }
  _ = Job.where { $0.doneAt > $0.dueAt }
  _ = Job.where { $0.createdAt < $0.dueAt && $0.doneAt.isNil }
  _ = Job.where { $0.id.in(ids) }
  _ = Job.where { $0.team == Ref(team) }
  _ = Job.where { $0.team.isNil }
  _ = Job.where { $0.team.name == "Home" }
  _ = Job.where { $0.team.name != "Home" }
  _ = Job.where { $0.team.city.isNil }
  _ = Job.where { $0.team.lead.name.hasPrefix("A") }
  _ = Job.where { $0.team.lead.age > 30 && $0.owner.age < 30 }
  _ = Job.where { $0.owner.name == "Ann" }
  _ = Job.where { $0.owner.team.name == "Home" || $0.team.name == "Home" }
  _ = Job.where { $0.tags.contains("red") }
  _ = Job.where { $0.tags.any { $0.hasPrefix("r") } }
  _ = Job.where { $0.tags.all { $0 != "" } }
  _ = Job.where { $0.tags.none { $0 == "red" || $0 == "blue" } }
  _ = Job.where { $0.tags.count > 2 }
  _ = Job.where { $0.tags.isEmpty && $0.scores.isEmpty }
  _ = Job.where { $0.scores.sum > 10 }
  _ = Job.where { $0.scores.max >= 5 && $0.scores.min < 2 }
  _ = Job.where { $0.scores.average > 2.5 }
  _ = Job.where { $0.helpers.any { $0.name == "Bob" && $0.age > 20 } }
  _ = Job.where { $0.helpers.any { $0.team.name == "Home" } }
  _ = Job.where { !($0.isDone || $0.level < .normal) && ($0.minutes > 5 || $0.minutes == 0) }
  _ = Job.where { $0.title == "a" || $0.title == "b" || $0.title == "c" || $0.title == "d" }
  _ = Job.where {
    !$0.isDone && $0.level >= .normal && $0.minutes > 5 && $0.rate < 9.5 && $0.note != nil
      && $0.title != "x" && $0.dueAt < now && $0.team.name == "Home" && $0.tags.count > 1
      && $0.owner.age > 18
  }
  _ = Job.where { $0.isDone && $0.level == .low }.where { $0.minutes > 3 || $0.note.isNil }
    .where { $0.team.name == "Home" }
}

func predicatesOfThoseReferredTo() {
  _ = Member.where { $0.referrers(by: \Job.owner).count > 3 }
  _ = Member.where { $0.referrers(by: \Job.owner).any { !$0.isDone && $0.level == .high } }
  _ = Member.where { $0.referrers(by: \Job.owner).sum(\.minutes) > 600 }
  _ = Member.where { $0.age.between(20, 30) }.order(by: \.team.name, \.age.descending).limit(20)
}
