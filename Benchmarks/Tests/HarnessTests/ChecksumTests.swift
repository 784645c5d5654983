import Harness
import Testing

@Suite struct ChecksumTests {
  private let item = Item(
    id: 1, text: "abc", priority: 2, isDone: false, createdAt: 3, groupId: 4)

  private func checksum(_ items: Item...) -> Checksum {
    var checksum = Checksum()
    for item in items { checksum.add(item) }
    return checksum
  }

  @Test func everyFieldCounts() {
    var changed = Array(repeating: item, count: 6)
    changed[0].id = 2
    changed[1].text = "abd"
    changed[2].priority = 3
    changed[3].isDone = true
    changed[4].createdAt = 3.5
    changed[5].groupId = 5
    #expect(Set(([item] + changed).map { checksum($0) }).count == 7)
  }

  @Test func theOrderOfObjectsDoesNotCount() {
    var other = item
    other.id = 9
    #expect(checksum(item, other) == checksum(other, item))
  }

  @Test func anObjectThatIsThereTwiceCounts() {
    #expect(checksum(item, item) != checksum(item))
    #expect(checksum(item, item) != checksum())
  }

  @Test func anAnswerCountsUnderItsName() {
    var one = Checksum()
    one.add(7, named: "a")
    var two = Checksum()
    two.add(7, named: "b")
    var three = Checksum()
    three.add(8, named: "a")
    #expect(Set([one, two, three, Checksum()]).count == 4)
  }

  @Test func itIsSixteenDigitsLong() {
    #expect(Checksum().hexadecimal == "0000000000000000")
    #expect(checksum(item).hexadecimal.count == 16)
  }
}
