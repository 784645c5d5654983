import Presentation

/// The manual page of `todo`, made of the grammar; in the markup of man(7).
enum ManualPage {
  static var text: String {
    var lines = [".TH TODO 1", ".SH NAME", #"todo \- a to\-do list that keeps its data"#]
    lines += [
      ".SH SYNOPSIS", #".B todo"#, "[OPTIONS] VERB ...", ".br", ".B todo", #"[OPTIONS] \-c LINE"#,
      ".br", ".B todo", "[OPTIONS]", ".SH DESCRIPTION",
      "Without a verb it is a prompt on a terminal, and reads a script from standard input elsewhere.",
      "An ITEM is a number of the last list, a range such as 5\\-7, or an id's last four or more",
      "characters. Messages are in English, or in Korean where the locale or \\-\\-lang says so.",
    ]
    lines.append(".SH COMMANDS")
    for command in Grammar.commands { lines += paragraph(of: command) }
    lines.append(".SH OPTIONS")
    for option in SharedOptions.explained {
      lines += [".TP", bold(option.spelling), markup(option.meaning.english)]
    }
    lines += environment + files + exitStatus
    return lines.joined(separator: "\n") + "\n"
  }

  /// A verb: its forms, what it does, and an example.
  private static func paragraph(of command: any Command.Type) -> [String] {
    let forms = command.synopsis.split(separator: "\n").map { bold(String($0)) }
    var lines = [".TP", forms.joined(separator: "\n.br\n")]
    lines += [".br", markup(command.summary.english)]
    for detail in command.details {
      for line in detail.english.split(separator: "\n") {
        lines += [".br", markup(String(line).trimmed)]
      }
    }
    if !command.aliases.isEmpty {
      lines += [".br", "Also: " + markup(command.aliases.joined(separator: ", "))]
    }
    return lines + [".br", "Example: " + markup(command.example)]
  }

  private static let environment = [
    ".SH ENVIRONMENT", ".TP", bold("TODO_DB"),
    "The file with the items, where \\-\\-db names none.",
    ".TP", bold("TODO_PRIORITY"),
    "The priority of what is added without one: high, normal or low.", ".TP",
    bold("PAGER"),
    "The program that shows what is longer than the terminal; by default less. It is run by the shell.",
    ".TP", bold("NO_COLOR"), "Switches colours off where it is not empty.", ".TP",
    bold("XDG_DATA_HOME"), "The folder of the folder with the items; by default ~/.local/share.",
  ]

  private static let files = [
    ".SH FILES", ".TP", bold("~/.local/share/todo/todo.croft"), "The items, and what undo needs.",
    ".TP", bold("~/.config/todo/config"),
    "The settings, in $XDG_CONFIG_HOME/todo where that is set.",
  ]

  private static let exitStatus = [
    ".SH EXIT STATUS", ".TP", bold("0"), "Every command succeeded.", ".TP", bold("1"),
    "A command failed.", ".TP", bold("64"), "The words are no valid command.", ".TP", bold("65"),
    "A file that is imported has errors; nothing was stored.", ".TP", bold("130"),
    "^C ended the program.",
  ]

  private static func bold(_ text: String) -> String { "\\fB\(markup(text))\\fR" }

  /// A text as the markup writes it: a dash is no hyphen, and no line begins with a request.
  private static func markup(_ text: String) -> String {
    let escaped = text.map { letter in
      switch letter {
      case "\\": "\\e"
      case "-": "\\-"
      default: String(letter)
      }
    }.joined()
    return escaped.first == "." || escaped.first == "'" ? "\\&" + escaped : escaped
  }
}
