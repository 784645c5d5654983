import Presentation
import TodoKit

struct PriorityCommand: Command {
  static let name = "pri"
  static let aliases = ["중요도"]
  static let synopsis = "pri ITEM... high|normal|low|none"
  static let example = "pri 2 4 high"
  static let summary = LocalizedText("Sets the priority of items.", "할일의 중요도를 바꿉니다.")

  let targets: [String]
  /// The priority, or `none` to remove it; nil if no word was typed, which the view model refuses.
  let priority: Priority?

  func run(in session: Session) throws {
    let selected = try session.select(targets)
    let (ids, items) = (selected.map(\.item.id), selected.map(\.item))
    if priority == Priority.none {
      return try session.change(selected, by: .removePriority(ids)) {
        LocalizedText("No priority", "중요도 없음").about($0, $1)
      }
    }
    let hint = LocalizedText(
      "Put the priority last: \(Self.synopsis)", "중요도는 끝에 쓰세요: \(Self.synopsis)")
    let result: CommandResult
    do {
      result = try session.perform(.setPriority(ids, priority), hint: hint) { chosen in
        .ifUnchanged(ExpectedState(items: items), then: .setPriority(ids, chosen))
      }
    } catch { throw CommandError(error).naming(items) }
    try session.say(result, as: selected) { label, item in
      let name = LocalizedText.priority(item.priority)
      return LocalizedText("Priority \(name.english)", "중요도 \(name.korean)").about(label, item)
    }
  }
}

extension PriorityCommand {
  init(_ input: CommandInput) throws {
    var words = input.allWords
    let last = words.last ?? ""
    priority = Priority(word: last) ?? Priority(sign: last)
    if priority != nil {
      words.removeLast()
    } else if words.count > 1, !last.mayNameItems {
      _ = try Priority.option(last.after("!") ?? last)
    }
    targets = try Self.targets(in: words)
  }
}

extension LocalizedText {
  /// The name of a priority; in Korean with the letter of its sign, such as the h of `!h`.
  static func priority(_ priority: Priority) -> LocalizedText {
    let english = priority.word(in: .english)
    let letter = priority == .none ? "" : "/\(english.prefix(1).uppercased())"
    return LocalizedText(english, priority.word(in: .korean) + letter)
  }
}
