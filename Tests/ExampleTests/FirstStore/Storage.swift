import Croft
import Foundation

func openStore(at file: URL) throws -> Store {
  try Store.open(at: file, models: Habit.self)
}

func addHabits(_ names: [String], to store: Store) throws {
  try store.write { tx in
    for name in names { try tx.insert(Habit(name: name)) }
  }
}

extension Habit {
  static func practised(atLeast days: Int) -> Query<Habit> {
    Habit.where { $0.days >= days }.order(by: \.name)
  }
}

func report(_ store: Store) throws -> String {
  let practised = try store.fetch(Habit.practised(atLeast: 1))
  let days = try store.fetch(Habit.all.sum(\.days))
  return "\(practised.map(\.name)), \(days) days in all"
}

func practise(_ name: String, in store: Store) throws {
  try store.write { tx in
    guard let habit = try tx.first(Habit.where { $0.name == name }) else { return }
    try tx.update(Ref(habit)) { $0.days += 1 }
  }
}

func stop(_ name: String, in store: Store) throws {
  try store.write { tx in
    _ = try tx.delete(Habit.where { $0.name == name })
  }
}
