public import CroftFoundation
public import Presentation
public import Reactive
public import TodoKit

/// The values that the group screens show; they follow every commit, also of other programs.
///
/// Views subscribe to its properties with `immediate`, so that the result is the same whether the
/// model is loaded before or after. A change of the user is committed first, and published then. An
/// error is shown until something succeeds or the user has seen it.
///
/// Only the model assigns its properties.
///
/// Threads: any for properties; methods are called on the thread of the screen.
public final class GroupModel: @unchecked Sendable {
  // Unchecked: the wrappers of the properties guard themselves and are never replaced.

  /// All groups with their progress.
  @Publishable public internal(set) var groups: LoadState<[GroupSummary]> = .idle
  /// The group whose screen is open, with its items; nil while none is.
  @Publishable public internal(set) var shownGroup: ShownGroup?
  /// The open question before a deletion; nil for none.
  @Publishable public internal(set) var question: PendingDeletion?
  /// The error to show: one at a time.
  @Publishable public internal(set) var error: PresentableError?
  /// Whether a picture is being fetched.
  @Publishable public internal(set) var isFetchingImage = false
  /// Whether what was typed last can be confirmed.
  @Publishable public internal(set) var canConfirm = false

  let storage: LazyRepository
  let images: any ImageSource
  let errors = ErrorTracker()
  let activity = ActivityIndicator()
  private let loads = ReplayRelay<Void>.create(bufferSize: 1)
  private let openings = BehaviorRelay<UUID?>(value: nil)
  private let bag = DisposeBag()

  /// Makes a model of a storage that is opened when the model is loaded.
  ///
  /// - Parameters:
  ///   - images: Where pictures of groups come from.
  ///   - scheduler: Where what is shown changes, such as the main one; nil for the thread
  ///     that delivers a commit.
  ///   - storage: Opens the storage. Called until it has succeeded once.
  public init(
    images: any ImageSource = PlaceholderImages(),
    on scheduler: (any ImmediateSchedulerType)? = nil,
    storage: @escaping @Sendable () throws -> any TodoRepository
  ) {
    self.storage = LazyRepository(storage)
    self.images = images
    follow(on: scheduler)
  }

  /// Makes a model of a repository's groups and items.
  ///
  /// The other parameters are those of a model that opens its storage.
  public convenience init(
    repository: any TodoRepository, images: any ImageSource = PlaceholderImages(),
    on scheduler: (any ImmediateSchedulerType)? = nil
  ) {
    self.init(images: images, on: scheduler) { repository }
  }

  /// Loads the screens, or loads them again.
  public func load() { loads.accept(()) }

  /// Shows the items of a group, or of none.
  public func open(_ group: UUID?) { openings.accept(group) }

  /// Notes that the user has seen the error.
  public func dismissError() { errors.dismiss() }

  /// Keeps the properties in step with storage, errors and activity.
  private func follow(on scheduler: (any ImmediateSchedulerType)?) {
    let storage = storage
    let groups = loads.loadStates { _ in
      .deferred { try storage().repository.observeGroups() }
    }
    let shownGroup = openings.distinctUntilChanged().flatMapLatest { [loads] id in
      guard let id else { return Observable<ShownGroup?>.just(nil) }
      return loads.loadStates { _ in
        .deferred {
          try storage().repository.observe(in: .group(id: id), .all).map { ItemSections($0) }
        }
      }
      .map { ShownGroup(id: id, items: $0) }
    }
    groups.publish(in: $groups, on: scheduler).disposed(by: bag)
    shownGroup.publish(in: $shownGroup, on: scheduler).disposed(by: bag)
    errors.current.publish(in: $error, on: scheduler).disposed(by: bag)
    activity.isActive.publish(in: $isFetchingImage, on: scheduler).disposed(by: bag)
  }
}

extension ObservableType where Element: Sendable {
  /// Assigns each element to a property, which is retained; its owner is not.
  fileprivate func publish(
    in property: Publishable<Element>, on scheduler: (any ImmediateSchedulerType)?
  ) -> any Disposable {
    let source = scheduler.map { observe(on: $0) } ?? asObservable()
    return source.subscribe(onNext: { property.wrappedValue = $0 })
  }
}

/// The group whose screen is open, with its items.
///
/// One value, so that the items of one group are never drawn as those of another.
public struct ShownGroup: Equatable, Sendable {
  /// The group.
  public let id: UUID
  /// Its items, or the state of loading them, or the error of that.
  public let items: LoadState<ItemSections>
}
