import Croft

func follow(_ store: Store, _ show: @escaping @Sendable (String) -> Void) -> ObservationToken {
  store.observe(Book.where { $0.year < 1900 }.order(by: \.title)) { change in
    for index in change.deletions { show("- \(change.before[index].title)") }
    for index in change.insertions { show("+ \(change.after[index].title)") }
    show(change.after.map(\.title).joined(separator: ", "))
  }
}
