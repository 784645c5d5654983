import Foundation
import PageServer
import Presentation
import TodoKit
import TodoPrompt

/// What the program understands of a line that is being typed, in small pieces.
struct TypedChips {
  private(set) var values: [String: Any] = [:]

  /// Reads a line; a blank one has no pieces.
  init(line: String, in group: UUID?, of site: Site, _ text: PageText) {
    if line.allSatisfy(\.isWhitespace) { return }
    do {
      let typed = try TypedTask(
        line: line, in: group, of: site.repository, settings: site.settings)
      values["chips"] = Self.chips(of: typed, today: site.settings.today, text)
    } catch let error as PromptError {
      values["error"] = error.text(in: text.language)
    } catch {
      values["error"] = MessageCatalog.todo(in: text.language).message(for: error)
    }
  }

  private static func chips(
    of typed: TypedTask, today: CalendarDay, _ text: PageText
  ) -> [[String: String]] {
    var chips: [[String: String]] = []
    func add(_ kind: String, _ name: String, _ value: String?) {
      if let value, !value.isEmpty {
        chips.append(["kind": kind, "name": name, "value": value.shown])
      }
    }
    let draft = typed.draft
    add("title", text.title, draft.title)
    add("group", text.group, typed.group?.name)
    add("missing", text.noGroup, typed.newGroup)
    let day = draft.due.map { text.day($0, today: today) }
    add(
      "due", text.due,
      [day, draft.dueTime.map { "\($0)" }].compactMap { $0 }.joined(separator: " "))
    add("repeats", text.repeats, draft.repeats.map { text.rule($0) })
    if let priority = draft.priority, priority != .none {
      add("\(priority)", text.priority, priority.word(in: text.language))
    }
    add("wait", text.hiddenUntil, draft.hiddenUntil.map { text.day($0, today: today) })
    add("estimate", text.estimate, draft.estimate.map { "\($0)" })
    for tag in draft.tags { add("tag", text.tag, "#" + tag) }
    return chips
  }
}
