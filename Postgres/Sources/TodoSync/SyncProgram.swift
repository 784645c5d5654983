import Croft
import CroftPostgres
import CroftSync
import Foundation
import Presentation
import Synchronization
import TodoKit
import TodoPrompt

/// `todo-sync`: keeps the list of the prompt the same on several machines.
///
/// They meet at a PostgreSQL server.
///
/// The prompt starts it for `todo sync`, so that it starts as fast as without libpq.
public struct SyncProgram: Sendable {
  private let path: String
  private let language: Language
  private let names = Names()

  /// Runs the program to its end.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The exit code: 0, 1 for what failed, 64 for arguments that mean nothing.
  public static func run(_ arguments: [String]) async -> Int32 {
    var language = TodoSettings().language
    do {
      let read = try SyncArguments(arguments)
      let settings = TodoSettings(storePath: read.list)
      language = settings.language
      let program = SyncProgram(path: try settings.listPath(), language: language)
      try await program.perform(read)
      return 0
    } catch let error as PromptError {
      tell(error.text(in: language))
    } catch let error as TodoError {
      tell(MessageCatalog.todo(in: language).message(for: error))
    } catch {
      let text = SyncText(error) ?? SyncText("\(error)", "\(error)")
      tell(text.text(in: language))
      return text.english.contains(SyncText.usage.english) ? 64 : 1
    }
    return 1
  }

  private func perform(_ arguments: SyncArguments) async throws {
    switch arguments.action {
    case .help: say(.usage)
    case .setup(let address, let space):
      try await setUp(
        address, space, passwordFile: arguments.passwordFile, isInsecure: arguments.isInsecure)
    case .once: try await synchronize(settings())
    case .watch: try await watch(settings())
    case .status: try await tellStatus(settings())
    case .leave: try await leave(settings())
    }
  }

  private func settings() throws -> SyncSettings {
    guard let settings = try SyncSettings(of: path) else { throw SyncText.isNotShared }
    return settings
  }

  // MARK: Streams

  /// Writes a line to standard error.
  static func tell(_ line: String, end: String = "\n") {
    FileHandle.standardError.write(Data((line + end).utf8))
  }

  private func say(_ text: SyncText) {
    FileHandle.standardOutput.write(Data((text.text(in: language) + "\n").utf8))
  }
}

// MARK: - The server

extension SyncProgram {
  /// Does something with a server; asks for the password where it is needed and comes from nowhere else.
  private func withServer<R>(
    _ settings: SyncSettings, _ body: (PostgresServer) async throws -> R
  ) async throws -> R {
    let password = PasswordSource(file: settings.passwordFile, language: language)
    func server() throws -> PostgresServer {
      try PostgresServer(
        settings.address, security: settings.isInsecure ? .insecure : .verified,
        password: password.provider())
    }
    do { return try await body(server()) } catch {
      switch error {
      case PostgresError.unauthorised, SyncError.unauthorised:
        guard password.ask() else { throw error }
        return try await body(server())
      default: throw error
      }
    }
  }

  private func setUp(
    _ address: String, _ space: UUID?, passwordFile: String?, isInsecure: Bool
  ) async throws {
    if try SyncSettings(of: path) != nil { throw SyncText.isShared }
    var settings = SyncSettings(
      address: address, space: UUID(), passwordFile: passwordFile, isInsecure: isInsecure)
    try await withServer(settings) { server in
      settings.space = try await chooseSpace(on: server, space)
      if try await synchronize(settings, with: server) { settings.lastTime = Date() }
      try settings.write(for: path)
    }
  }

  /// The space that is named, or the only one, or a new one.
  private func chooseSpace(on server: PostgresServer, _ named: UUID?) async throws -> UUID {
    var spaces: [UUID] = []
    var isInstalled = true
    do { spaces = try await Postgres.spaces(on: server) } catch PostgresError.notInstalled {
      // It is installed below.
      isInstalled = false
    } catch PostgresError.olderServer {
      try await update(server)
      spaces = try await Postgres.spaces(on: server)
    }
    if let named { return named }
    if spaces.count > 1 { throw SyncText.manySpaces(spaces.map(\.uuidString)) }
    if let space = spaces.first { return space }
    do {
      // The owner may have let this user make spaces.
      if !isInstalled { try await Postgres.install(on: server) }
      return try await Postgres.createOwnSpace(on: server)
    } catch PostgresError.forbidden(let reason) { throw SyncText.mayNotPrepare(reason) }
  }

  /// Prepares the database again, which an older program has prepared.
  private func update(_ server: PostgresServer) async throws {
    do { try await Postgres.install(on: server) } catch PostgresError.forbidden(let reason) {
      throw SyncText.isOlder(reason)
    }
    say(.isUpdated)
  }
}

// MARK: - The list

extension SyncProgram {
  private func open(
    _ list: SharedList, _ settings: SyncSettings, _ server: PostgresServer,
    onChange: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> Sync {
    try Sync(
      list.store, with: server, space: settings.space, models: SharedList.models
    ) { [names] changes, tx in
      let items = changes.keys(of: TodoItem.self)
      let groups = changes.keys(of: TodoGroup.self)
      try list.count(items, in: &tx)
      // An event may be about one that is gone afterwards.
      for id in items where try tx.get(TodoItem.self, id) == nil {
        names.set(try list.store.read { try $0.get(TodoItem.self, id) }?.title, of: id)
      }
      for id in groups where try tx.get(TodoGroup.self, id) == nil {
        names.set(try list.store.read { try $0.get(TodoGroup.self, id) }?.name, of: id)
      }
      onChange(items.count + groups.count)
    }
  }

  private func synchronize(_ settings: SyncSettings) async throws {
    let isDone = try await withServer(settings) { server in
      do { return try await synchronize(settings, with: server) } catch SyncError.olderServer {
        try await update(server)
        return try await synchronize(settings, with: server)
      }
    }
    if isDone { try noteTime(settings) }
  }

  /// Remembers that the list is the same as on the server.
  private func noteTime(_ settings: SyncSettings) throws {
    var settings = settings
    settings.lastTime = Date()
    try settings.write(for: path)
  }

  /// Synchronizes once.
  ///
  /// - Returns: Whether it did; false where another program does.
  private func synchronize(
    _ settings: SyncSettings, with server: PostgresServer
  ) async throws -> Bool {
    let list = try SharedList(path: path)
    let received = Counter()
    let sync = try open(list, settings, server) { received.add($0) }
    let before = try list.store.unsentChanges()
    let waiting: Int
    do { waiting = try await sync.now() } catch {
      await sync.stop()
      // That one tells what was decided.
      if case SyncError.anotherProgram = error {
        say(.elsewhere)
        return false
      }
      try await tellEvents(of: sync, list)
      throw error
    }
    await sync.stop()
    try await tellEvents(of: sync, list)
    let pending = try list.store.unsentChanges()
    say(.synchronized(sent: max(before - pending, 0), received: received.value, pending: pending))
    if waiting > 0 { say(.waiting(waiting)) }
    return true
  }

  /// Tells what was decided, once; the synchronization has ended.
  private func tellEvents(of sync: Sync, _ list: SharedList) async throws {
    for await event in sync.events { try tell(event, list) }
  }

  private func tell(_ event: SyncEvent, _ list: SharedList) throws {
    let sentence = EventSentence(
      name: { [names] id in try names[id] ?? list.name(of: id) }, time: Self.text)
    if let text = try sentence.text(event) { say(text) }
  }

  /// A time of today as `14:02`, another one with its day before it.
  private static func text(_ date: Date) -> String {
    let parts = Calendar.current.dateComponents(
      [.year, .month, .day, .hour, .minute], from: date)
    func digits(_ number: Int?) -> String {
      (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)"
    }
    let time = "\(digits(parts.hour)):\(digits(parts.minute))"
    if Calendar.current.isDateInToday(date) { return time }
    return "\(digits(parts.year))-\(digits(parts.month))-\(digits(parts.day)) \(time)"
  }

  private func watch(_ settings: SyncSettings) async throws {
    try await withServer(settings) { server in
      let list = try SharedList(path: path)
      let sync = try open(list, settings, server)
      let signals = Self.onInterrupt { Task { await sync.stop() } }
      let events = Task { try await tellEvents(of: sync, list) }
      var last: Sync.Status?
      for await status in sync.status {
        try tell(status, after: last)
        if case .live(pending: 0, _) = status { try noteTime(settings) }
        last = status
      }
      withExtendedLifetime(signals) {}
      try await events.value
    }
  }

  private func tell(_ status: Sync.Status, after last: Sync.Status?) throws {
    switch status {
    case .live(pending: 0, _):
      if case .live(pending: 0, _) = last { return }
      say(SyncText("The list is the same as on the server.", "목록이 서버와 같습니다."))
    case .offline(let error, _):
      if case .offline = last { return }
      say(.offline(SyncText(error)))
    case .elsewhere: say(.elsewhere)
    case .stopped(let error?): throw error
    default: return
    }
  }

  /// Calls a closure at ^C and at the end of the terminal.
  private static func onInterrupt(_ body: @escaping @Sendable () -> Void)
    -> [any DispatchSourceSignal]
  {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: body)
      source.activate()
      return source
    }
  }

  private func tellStatus(_ settings: SyncSettings) async throws {
    let list = try SharedList(path: path)
    say(SyncText("Server: \(settings.address)", "서버: \(settings.address)"))
    say(SyncText("Space: \(settings.space)", "공간: \(settings.space)"))
    say(.pending(try list.store.unsentChanges()))
    say(.lastTime(settings.lastTime.map(Self.text)))
    try await withServer(settings) { server in
      do { _ = try await Postgres.spaces(on: server) } catch let error as PostgresError {
        if case .unauthorised = error { throw error }
        return say(.offline(SyncText(error)))
      }
      say(SyncText("The server answers.", "서버가 응답합니다."))
    }
  }

  private func leave(_ settings: SyncSettings) async throws {
    let list = try SharedList(path: path)
    let server = try PostgresServer(
      settings.address, security: settings.isInsecure ? .insecure : .verified)
    let sync = try open(list, settings, server)
    try await sync.leave(.keep)
    try SyncSettings.remove(of: path)
    say(.left)
  }
}

/// The names of objects that another machine deleted while this program ran.
private final class Names: Sendable {
  private let names = Mutex<[UUID: String]>([:])
  subscript(id: UUID) -> String? { names.withLock { $0[id] } }
  func set(_ name: String?, of id: UUID) {
    if let name { names.withLock { $0[id] = name } }
  }
}

/// A number that several threads add to.
private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add(_ number: Int) { count.withLock { $0 += number } }
}
