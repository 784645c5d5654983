import Testing

@testable import Croft

/// Replays diffs on arrays, and checks that they have all that changed and nothing else.
enum DiffReplay {
  /// Expects a diff to lead from one array to the other.
  ///
  /// - Parameters:
  ///   - key: An element's identity.
  ///   - isSame: Whether two elements with one identity have the same values.
  static func check<Element, Key: Hashable>(
    _ diff: ResultDiff, from before: [Element], to after: [Element], _ about: Comment,
    key: (Element) -> Key, isSame: (Element, Element) -> Bool
  ) {
    let old = before.map(key)
    let new = after.map(key)
    checkRanges(diff, old.count, new.count, about)
    #expect(replay(diff, old, new) == new, about)
    let kept = Set(old).intersection(new)
    #expect(Set(diff.deletions.map { old[$0] }) == Set(old).subtracting(kept), about)
    #expect(Set(diff.insertions.map { new[$0] }) == Set(new).subtracting(kept), about)
    let places = Dictionary(uniqueKeysWithValues: zip(new, new.indices))
    let order = old.compactMap { places[$0] }
    #expect(diff.moves.count == kept.count - longestAscent(order), about)
    checkModified(diff, before, after, about, key: key, isSame: isSame, kept)
  }

  private static func checkRanges(_ diff: ResultDiff, _ old: Int, _ new: Int, _ about: Comment) {
    let lists: [([Int], Int)] = [
      (diff.deletions, old), (diff.insertions, new), (diff.modifications, old),
      (diff.modificationsAfter, new), (diff.moves.map(\.to), new),
      (diff.moves.map(\.from).sorted(), old),
    ]
    let areSound = lists.allSatisfy { indices, bound in
      let last = indices.last ?? 0
      return zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }
        && (indices.first ?? 0) >= 0 && (indices.isEmpty || last < bound)
    }
    #expect(areSound, about)
    #expect(diff.modifications.count == diff.modificationsAfter.count, about)
  }

  /// Applies a diff to the earlier keys.
  private static func replay<Key: Hashable>(
    _ diff: ResultDiff, _ old: [Key], _ new: [Key]
  ) -> [Key] {
    let gone = Set(diff.deletions + diff.moves.map(\.from))
    var rest = old.indices.filter { !gone.contains($0) }.map { old[$0] }[...]
    var placed: [Int: Key] = [:]
    for place in diff.insertions { placed[place] = new[place] }
    for move in diff.moves { placed[move.to] = old[move.from] }
    var result: [Key] = []
    while let next = placed[result.count] ?? rest.popFirst() { result.append(next) }
    return result
  }

  private static func checkModified<Element, Key: Hashable>(
    _ diff: ResultDiff, _ before: [Element], _ after: [Element], _ about: Comment,
    key: (Element) -> Key, isSame: (Element, Element) -> Bool, _ kept: Set<Key>
  ) {
    let now = Dictionary(uniqueKeysWithValues: after.map { (key($0), $0) })
    let changed = before.filter { element in
      now[key(element)].map { !isSame(element, $0) } ?? false
    }
    let modified = diff.modifications.map { key(before[$0]) }
    let moved = diff.moves.filter(\.isModified).map { key(before[$0.from]) }
    #expect(Set(changed.map(key)) == Set(modified + moved), about)
    #expect(modified.count + moved.count == changed.count, about)
    #expect(modified == diff.modificationsAfter.map { key(after[$0]) }, about)
    let all = diff.moves.map(\.from)
    #expect(Set(all).isDisjoint(with: diff.modifications), about)
    #expect(diff.moves.allSatisfy { key(before[$0.from]) == key(after[$0.to]) }, about)
  }

  /// The length of the longest ascending subsequence.
  static func longestAscent(_ values: [Int]) -> Int {
    var tails: [Int] = []
    for value in values {
      let place = tails.firstIndex { $0 >= value } ?? tails.count
      if place == tails.count { tails.append(value) } else { tails[place] = value }
    }
    return tails.count
  }
}
