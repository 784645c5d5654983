/// What the words after `croft` ask for.
struct Arguments: Equatable {
  /// The words are not understood: what is wrong, as a sentence.
  struct Problem: Error, Equatable {
    let reason: String
  }

  var file = ""
  /// The queries, statements and commands, in order; empty where they are read from standard input.
  var statements: [String] = []
  /// How many of them options such as `-c` have, which come first.
  private(set) var optionCount = 0
  /// The operation on the file that is asked for instead of statements.
  var operation: FileOperation?
  /// Whether queries, statements and commands are read from the standard input.
  var readsLines: Bool { statements.isEmpty && operation == nil }
  /// The format that was asked for; nil for that of the streams.
  var format: OutputFormat?
  /// Whether a statement that fails ends the run; a person's prompt continues.
  var keepsGoing = false
  /// Whether the store is opened for writing.
  var writes = false
  /// Whether values are written that only the program of a model could refuse.
  var allowsUnknownCases = false
  var asksForHelp = false
  /// Whether that is help about operators.
  private(set) var asksForOperators = false
  /// The values of `$1` and `$name` in queries and statements.
  private(set) var parameters: [String: String] = [:]
  /// The options of an import, where the model is not known yet.
  private var importing = ImportRequest()
  /// The file that a repair makes.
  private var target: String?

  /// Reads the words: options, the file, and queries.
  init(_ words: [String]) throws(Problem) {
    var words = words[...]
    var operands: [String] = []
    var hasEnded = false
    while let word = words.popFirst() {
      if hasEnded || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
        continue
      }
      let (option, value) = Self.split(word)
      func argument(_ what: String) throws(Problem) -> String {
        guard let argument = value ?? words.popFirst() else {
          throw Problem(reason: "\(option) needs \(what)")
        }
        return argument
      }
      switch option {
      case "--": hasEnded = true
      case "-h", "--help": asksForHelp = true
      case "--keep-going": keepsGoing = true
      case "--write": writes = true
      case "--force": allowsUnknownCases = true
      case "-c", "--command": statements.append(try argument("a query or a command"))
      case "-o", "--output":
        let name = try argument("a format: \(OutputFormat.names)")
        guard let format = OutputFormat(rawValue: name) else {
          throw Problem(reason: "there is no format \(name); there are \(OutputFormat.names)")
        }
        self.format = format
      case "--param": try addParameter(argument("a name and a value: --param 1=2000"))
      case "--to": target = try argument("the name of the new file")
      default:
        let isTaken = try Self.rethrowing { () throws(ShellCommand.Problem) in
          try importing.take(option) { value ?? words.popFirst() }
        }
        guard isTaken else { throw Problem(reason: "there is no option \(option)") }
      }
    }
    // Of a file with that name, ./help is written, as with operations.
    asksForOperators = operands.last == OperatorHelp.topic
    let isHelp = operands == ["help"] || operands == ["help", OperatorHelp.topic]
    if isHelp, statements.isEmpty { asksForHelp = true }
    if asksForHelp { return }
    guard let first = operands.first else {
      throw Problem(reason: "the file of a store is missing")
    }
    let rest = Array(operands.dropFirst(2)) + (target.map { [$0] } ?? [])
    operation = try Self.rethrowing { () throws(ShellCommand.Problem) in
      try FileOperation(first, rest)
    }
    try checkOptions(of: first)
    guard operation != nil else {
      file = first
      optionCount = statements.count
      statements += operands.dropFirst()
      return
    }
    guard operands.count > 1 else {
      throw Problem(
        reason: "\(first) needs the file of a store; of a file with that name, write ./\(first)")
    }
    guard statements.isEmpty else {
      throw Problem(reason: "\(first) takes no queries and commands beside it")
    }
    file = operands[1]
  }

  /// Reads `NAME=VALUE`.
  private mutating func addParameter(_ text: String) throws(Problem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // A shell takes $1 for a word of its own, so that it is written without its sign.
    let name = String(parts[0].drop { $0 == "$" })
    guard parts.count == 2, !name.isEmpty else {
      throw Problem(reason: "--param has a name and a value: --param 1=2000, or --param title=Sea")
    }
    guard parameters.updateValue(String(parts[1]), forKey: name) == nil else {
      throw Problem(reason: "--param gives \(name) twice")
    }
  }

  /// Checks that options of one operation are not given with another.
  private mutating func checkOptions(of first: String) throws(Problem) {
    if target != nil, first != "repair" {
      throw Problem(reason: "--to is an option of repair")
    }
    if operation != nil, !parameters.isEmpty {
      throw Problem(reason: "--param gives values to queries and statements, and \(first) has none")
    }
    if case .importRows(var request)? = operation {
      request.addOptions(of: importing)
      operation = .importRows(request)
    } else if importing != ImportRequest() {
      throw Problem(reason: "--map, --update, --skip and --dry-run are options of import")
    }
  }

  private static func rethrowing<R>(
    _ body: () throws(ShellCommand.Problem) -> R
  ) throws(Problem) -> R {
    do throws(ShellCommand.Problem) { return try body() } catch {
      throw Problem(reason: error.reason)
    }
  }

  /// An option and its value, as in `--output=json`.
  private static func split(_ word: String) -> (String, String?) {
    guard word.hasPrefix("--"), let place = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<place]), String(word[word.index(after: place)...]))
  }

  /// What `croft --help` says.
  static let help = """
    Usage: croft [-o FORMAT] [-c COMMAND] FILE [QUERY ...]
           croft [-o FORMAT] [--write] OPERATION FILE [WORD ...]

    Asks the file of a Croft store, whatever program made it, and with --write changes it. Without
    --write it changes nothing; after a crash of another program it finishes what that one had
    stored in the journal, as every opening does.

      croft books.croft 'Book where year > 2000 sort by title limit 10'
      croft -o json books.croft 'Book select author.name, count group by author.name'
      croft books.croft .models
      croft --write books.croft 'update Book where year > 2000 set shelf = "new"'

    croft help operators lists the operators of conditions, each with an example.

    A query is one argument, in quotes, and so is each of several. Without one, lines are read from
    standard input: each is a query, a statement or a command. An update or a delete of all objects
    ends with ; there.

    Operations on the whole file:
      verify FILE          read all pages, objects and indexes, and name what is damaged
      stats FILE           sizes of the file, its models and its log
      readers FILE         the transactions that read the file, and what they keep
      log FILE             the commits that the file's log has
      backup FILE COPY     copy the last commit into a new file
      compact FILE COPY    do the same without free pages
      compact FILE         put such a copy in place of the file, which nobody may have
                           open: with --write
      repair FILE COPY     make a new file of all that can be read of a damaged one
      diff FILE OTHER [MODEL ...]
                           how the other file differs: - it lacks, + it has alone, ~ both have
                           otherwise
      dump FILE            write the models and objects as lines of JSON
      load FILE            make the file of such lines, from standard input
      import FILE MODEL [ROWS]
                           insert objects of a table (CSV) or of lines of JSON: with --write
    A file with the name of an operation is written as ./verify.

    Another program shows the file in a browser, croft-studio in the folder of croft or in PATH:
      studio [--write] FILE   models, objects and their references, as pages on this machine alone
    In a clone of Croft, Scripts/croft builds what it needs, and does all of this.

    Options, before or after the file:
      -o, --output FORMAT   \(OutputFormat.names); table on a terminal, else plain
      -c, --command TEXT    a query, a statement or a command; several are done in order
          --param NAME=VALUE  the value of $NAME in queries and statements, as text, without
                            quotes; $1 has the name 1; a list is in brackets: list='[1, 2]'
          --write           allow statements that change the store
          --force           write values of enums whose cases the file does not have; their
                            program cannot read an object with a value that it lacks
          --keep-going      continue after one that fails, also in a transaction
      -h, --help            this text

    Options of import:
          --map 'A=B,C=D'   the properties of columns with other names; 'A=' passes over A
          --update          set the properties of objects whose keys are there, by their keys
          --skip            leave such objects as they are
          --dry-run         do all of it and roll back

    Statements:
      insert MODEL {PROPERTY: VALUE, ...}
      update MODEL [where CONDITION] set PROPERTY = VALUE, ...
      delete MODEL [where CONDITION]
    A date or a UUID with a default, such as Date(), is given in an insert. Each statement writes
    how many objects it met, also those that had the values.

      begin, commit, rollback   make one change of the statements between them

      watch QUERY               write a result, and then each change of it, until ^C

    Commands:
    \(ShellCommand.list)

    Exit codes: 0 done, 1 a query, a statement or a command failed, 64 the arguments are not
    understood, 65 rows of an import are refused, 66 the file cannot be opened, 69 there is no
    studio, 130 ^C has ended the run, 74 the results cannot be written, with --write and of repair
    also where their reader left: then a statement may have been done, and a transaction, with exit
    code 1, is rolled back. diff ends with 0 where the files are equal, 1 where they differ, and 2
    where it fails or its reader left.
    """
}
