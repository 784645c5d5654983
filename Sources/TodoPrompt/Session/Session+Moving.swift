import TodoKit

/// The commands that put items elsewhere. Each resolves to ids first, and is one transaction.
extension Session {
  func setGroup(_ targets: [String], _ name: String) throws(Problem) {
    let selected = try select(targets)
    let group = try groups().destination(name)
    let change = try perform(
      .setGroup(selected.map(\.item.id), group?.id), on: selected.map(\.item))
    try say(change, as: selected) { .filed($0, $1.title.visible, in: group?.name.visible) }
  }

  func move(_ targets: [String], to place: TypedPlace) throws(Problem) {
    let selected = try select(targets)
    let (resolved, name): (Position, Phrase)
    switch place {
    case .first: (resolved, name) = (.first, .atTheTop)
    case .last: (resolved, name) = (.last, .atTheBottom)
    case .before(let word):
      let neighbor = try neighbor(word, of: selected)
      (resolved, name) = (.before(id: neighbor.id), .before(neighbor.title.visible))
    case .after(let word):
      let neighbor = try neighbor(word, of: selected)
      (resolved, name) = (.after(id: neighbor.id), .after(neighbor.title.visible))
    }
    let change = try perform(
      .move(selected.map(\.item.id), to: resolved), on: selected.map(\.item))
    try say(change, as: selected) { .moved($0, $1.title.visible, name) }
  }

  /// The item beside which others are put; none of them.
  private func neighbor(_ word: String, of selected: [SelectedItem]) throws(Problem) -> TodoItem {
    let neighbor = try selectOne(word).item
    if selected.contains(where: { $0.item.id == neighbor.id }) {
      throw Problem(.besideItself(neighbor.title.visible))
    }
    return neighbor
  }
}
