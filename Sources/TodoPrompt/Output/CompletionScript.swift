import Presentation

/// The completion scripts for shells, made of the grammar.
///
/// They complete verbs, the options and words that a verb has, and paths. Items, groups and tags are
/// completed by the prompt alone, which has the list open.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash:
      """
      _todo() {
        local word="${COMP_WORDS[COMP_CWORD]}"
        local before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
        [ "$word" != = ] || word=
      \(Self.choice)
        local IFS=$'\\n'
        COMPREPLY=($(compgen -W "${candidates// /$IFS}" ${files:+-f} -- "$word"))
        [ -z "$files" ] || compopt -o filenames 2>/dev/null
      }
      complete -F _todo todo

      """
    case .zsh:
      """
      #compdef todo
      local word="${words[CURRENT]}"
      local before=("${(@)words[2,CURRENT-1]}")
      \(Self.choice)
      compadd -- ${=candidates}
      [ -z "$files" ] || _files

      """
    case .fish: Self.fishText
    }
  }

  /// The statements of bash and zsh that set `candidates` and `files` by the words before the cursor.
  private static var choice: String {
    let shared = SharedOptions.syntax
    let valued = (shared + Grammar.commands.flatMap { $0.options }).filter(\.takesValue)
    let values = valued.map { option in
      "    \(option.names.joined(separator: "|"))) "
        + choices(option.words, takesFile: option.takesFile) + " ;;"
    }
    let verbs = Grammar.commands.map { command in
      let names = ([command.name] + command.aliases).map { "'\($0)'" }.joined(separator: "|")
      return """
              \(names)) \(choices(words(of: command), takesFile: takesFile(command)))
                options="$options \(spellings(command.options))" ;;
        """
    }
    return """
        local item verb= last= candidates= files= options='\(spellings(shared))'
        for item in "${before[@]}"; do
          [ "$item" != = ] || continue
          case $last in
            \(valued.flatMap(\.names).unique.joined(separator: "|"))) ;;
            *) case $item in -*) ;; *) verb=${verb:-$item} ;; esac ;;
          esac
          last=$item
        done
        case $last in
      \(values.unique.joined(separator: "\n"))
          *)
            case $verb in
              '') candidates='\(Grammar.commands.map { $0.name }.joined(separator: " "))' ;;
      \(verbs.joined(separator: "\n"))
            esac
            case $word in -*) candidates=$options ;; esac ;;
        esac
      """
  }

  private static func choices(_ words: String, takesFile: Bool) -> String {
    "candidates='\(words)'" + (takesFile ? " files=1" : "")
  }

  private static var fishText: String {
    let verbs = Grammar.commands.map { $0.name }.joined(separator: " ")
    var lines = [
      "complete -c todo -f", "set -l no_verb 'not __fish_seen_subcommand_from \(verbs)'",
    ]
    lines += SharedOptions.syntax.map { option in
      "complete -c todo \(fish(option)) " + (option.meaning.map { "-d \(quoted($0))" } ?? "")
    }
    for command in Grammar.commands {
      lines.append(
        "complete -c todo -n $no_verb -a \(command.name) -d \(quoted(command.summary))")
      let names = ([command.name] + command.aliases).filter { $0.allSatisfy(\.isLetter) }
        .joined(separator: " ")
      let prefix = "complete -c todo -n '__fish_seen_subcommand_from \(names)'"
      lines += command.options.map { "\(prefix) \(fish($0))" }
      let words = words(of: command)
      if !words.isEmpty { lines.append("\(prefix) -a '\(words)'") }
      if takesFile(command) { lines.append("\(prefix) -F") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// An option as the arguments of fish's `complete`.
  private static func fish(_ option: OptionSyntax) -> String {
    var words = option.names.map { name in
      name.after("--").map { "-l \($0)" } ?? "-s \(name.dropFirst())"
    }
    if option.takesFile {
      words.append("-r -F")
    } else if option.takesValue {
      words.append("-x -a '\(option.words)'")
    }
    return words.joined(separator: " ")
  }

  private static func quoted(_ text: LocalizedText) -> String {
    "'" + text.english.replacing("'", with: "\\'") + "'"
  }

  /// The words after a verb that no list has, such as `before`.
  private static func words(of command: any Command.Type) -> String {
    Synopsis.kinds(of: command.synopsis, behind: []).flatMap { kind in
      switch kind {
      case "VERB": Grammar.commands.map { $0.name }
      case "KEY": Config.Key.allCases.map(\.rawValue)
      default: Synopsis.isLiteral(kind) ? [kind] : []
      }
    }.joined(separator: " ")
  }

  private static func takesFile(_ command: any Command.Type) -> Bool {
    command.synopsis.contains("FILE")
  }

  private static func spellings(_ options: [OptionSyntax]) -> String {
    options.flatMap(\.names).joined(separator: " ")
  }
}

extension OptionSyntax {
  fileprivate var takesFile: Bool { valueName == "path" }

  /// The values that are offered.
  fileprivate var words: String { (choices ?? suggestions).joined(separator: " ") }
}
